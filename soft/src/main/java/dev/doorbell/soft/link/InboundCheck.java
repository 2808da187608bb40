package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Icrc;
import dev.doorbell.wire.IdentificationRecovery;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks what arrives before anybody looks at it: an ICRC that does not fit is a packet that never was. Then the packet
 * goes to the sink, without its ICRC.
 *
 * <p>The ICRC covers the IPv4 identification, which a socket does not show. Within a message of several datagrams they
 * count up. Messages of a sender begin with 0 each; or with the number after the first, or the last, of the message before,
 * once one did; or with the last one again. Where that does not fit, the identification is found by means of the ICRC itself, see
 * {@link IdentificationRecovery}.
 *
 * <p>Thread rules: one thread at a time. Checking allocates nothing, but for a sender that is new.
 */
final class InboundCheck {
    private static final int SENDERS = 256;
    private static final int IDENTIFICATION_MASK = 0xffff;

    private final MemorySegment memory;
    private final ByteBuffer view;
    private final LinkCounters counters;
    private final IdentificationRecovery recovery = new IdentificationRecovery();
    private final @Nullable Sender[] senders = new @Nullable Sender[SENDERS];
    private Sender sender = Sender.NOBODY;
    private int expected;
    private int step;

    /** Whether nothing of the message has been found intact yet. */
    private boolean beginning;

    private enum Start {
        ZERO,
        AFTER_FIRST,
        AFTER_LAST
    }

    private static final Start[] STARTS = Start.values();

    /** Where packets come from. */
    private static final class Sender {
        static final Sender NOBODY = new Sender(0, 0, 0, Gid.ZERO);

        final long high;
        final long low;
        final int port;
        final Gid gid;
        final Gid destination;
        final Icrc icrc;

        /** How the messages of this sender begin. */
        private Start start = Start.ZERO;

        /** Identifications of the last message, of its first datagram and of the last one. */
        private int first;

        private int last;

        Sender(long high, long low, int port, Gid destination) {
            this.high = high;
            this.low = low;
            this.port = port;
            this.gid = new Gid(high, low);
            this.destination = destination;
            this.icrc = new Icrc(gid, destination, port);
        }

        /** What the next message is expected to begin with. */
        int next() {
            return next(start);
        }

        private int next(Start how) {
            return switch (how) {
                case ZERO -> 0;
                case AFTER_FIRST -> first + 1 & IDENTIFICATION_MASK;
                case AFTER_LAST -> last + 1 & IDENTIFICATION_MASK;
            };
        }

        /** A message begins otherwise than expected; true if that is how others of this sender may begin. */
        boolean explains(int identification) {
            for (Start how : STARTS) {
                if (next(how) == identification) {
                    start = how;
                    return true;
                }
            }
            return false;
        }

        boolean is(long otherHigh, long otherLow, int otherPort, Gid to) {
            return low == otherLow && high == otherHigh && port == otherPort && destination.equals(to);
        }
    }

    InboundCheck(MemorySegment memory, LinkCounters counters) {
        this.memory = memory;
        this.view = memory.asByteBuffer();
        this.counters = counters;
    }

    /** The packets that follow came in one message. */
    void begin(long high, long low, int port, Gid destination) {
        if (!sender.is(high, low, port, destination)) {
            sender = find(high, low, port, destination);
        }
        expected = sender.next();
        step = 1;
        beginning = true;
    }

    private Sender find(long high, long low, int port, Gid destination) {
        long mixed = (low ^ high ^ (long) port << 40 ^ destination.low()) * 0x9e37_79b9_7f4a_7c15L;
        int slot = (int) (mixed >>> 40) & SENDERS - 1;
        Sender known = senders[slot];
        if (known == null || !known.is(high, low, port, destination)) {
            known = new Sender(high, low, port, destination);
            senders[slot] = known;
        }
        return known;
    }

    /** Checks one datagram and hands it on. */
    void deliver(long at, int bytes, PacketSink sink) {
        int length = bytes - Icrc.SIZE;
        if (length < Bth.SIZE) {
            counters.add(LinkCounter.DROPPED_TOO_SHORT);
        } else if (isIntact((int) at, length)) {
            counters.received(LinkCounter.LINK_RECEIVED_PACKETS);
            sink.onPacket(memory, at, length, sender.gid, sender.destination);
        } else {
            counters.add(LinkCounter.DROPPED_BAD_ICRC);
        }
    }

    private boolean isIntact(int at, int length) {
        int difference = difference(at, length, expected);
        if (difference != 0
                && !(sender.gid.isIpv4Mapped() && (isRepeated(at, length) || recover(difference, length)))) {
            return false;
        }
        if (beginning) {
            beginning = false;
            sender.first = expected;
        }
        sender.last = expected;
        expected = expected + step & IDENTIFICATION_MASK;
        return true;
    }

    private int difference(int at, int length, int identification) {
        return sender.icrc.compute(view, at, length, identification, Icrc.DONT_FRAGMENT) ^ Icrc.load(view, at + length);
    }

    /** Where a sender counts its sends, and one of them arrives in pieces, the next begins with the number of the last piece. */
    private boolean isRepeated(int at, int length) {
        if (!beginning || sender.start != Start.AFTER_FIRST || difference(at, length, sender.last) != 0) {
            return false;
        }
        expected = sender.last;
        return true;
    }

    private boolean recover(int difference, int length) {
        int found = recovery.recover(difference, length, expected);
        if (found == IdentificationRecovery.CORRUPT) {
            return false;
        }
        int before = expected - step & IDENTIFICATION_MASK;
        int identification = found & IDENTIFICATION_MASK;
        if (!beginning && identification == before) {
            // A sender that does not count.
            step = 0;
        } else if (!(beginning && sender.explains(identification)) && identification != 0) {
            counters.add(LinkCounter.LINK_RECOVERED_IDENTIFICATIONS);
        }
        expected = identification;
        return true;
    }
}
