package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What reaches the sink, and what never was. */
class InboundCheckTest {
    private static final int PORT = 49_170;
    private static final int LENGTH = 60;
    private static final int BYTES = LENGTH + Icrc.SIZE;

    private final Gid source = Gid.of(InetAddress.ofLiteral("192.0.2.1"));
    private final Gid destination = Gid.of(InetAddress.ofLiteral("192.0.2.2"));
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 64);
    private final ByteBuffer view = memory.asByteBuffer();
    private final LinkCounters counters = new LinkCounters();
    private final InboundCheck check = new InboundCheck(memory, counters);
    private final Icrc icrc = new Icrc(source, destination, PORT);
    private final List<Integer> delivered = new ArrayList<>();

    private final PacketSink sink = (packet, at, length, from, to) -> {
        assertThat(length).isEqualTo(LENGTH);
        assertThat(from).isEqualTo(source);
        assertThat(to).isEqualTo(destination);
        delivered.add(Bth.psn(packet, at));
    };

    /** Writes a packet with its ICRC and returns where. */
    private long packet(int number, int identification) {
        long at = (long) number * BYTES;
        Bth.write(memory, at, Opcode.RC_SEND_ONLY, 0, 0x12, number);
        int crc = icrc.compute(view, (int) at, LENGTH, identification, Icrc.DONT_FRAGMENT);
        Icrc.store(view, (int) at + LENGTH, crc);
        return at;
    }

    private void begin() {
        check.begin(source.high(), source.low(), PORT, destination);
    }

    private Map<String, Long> counts() {
        Map<String, Long> totals = new TreeMap<>();
        counters.addTo(totals);
        return totals;
    }

    private void message(int count, int first, int step) {
        begin();
        for (int number = 0; number < count; number++) {
            check.deliver(packet(number, first + number * step & 0xffff), BYTES, sink);
        }
        assertThat(delivered).hasSize(count);
    }

    @Test
    void identificationsThatCountFromZeroAreExpected() {
        message(10, 0, 1);
        assertThat(counts()).containsOnly(Map.entry("link_received_packets", 10L));
    }

    @Test
    void soAreSendersThatDoNotCount() {
        message(10, 0, 0);
        assertThat(counts()).containsOnly(Map.entry("link_received_packets", 10L));
    }

    @Test
    void aCountThatStartsElsewhereIsFoundOnce() {
        message(10, 0xfffb, 1);
        assertThat(counts()).containsEntry("link_recovered_identifications", 1L);
    }

    @Test
    void identificationsOfCardsAreFoundEachTime() {
        message(10, 77, 1234);
        assertThat(counts()).containsEntry("link_recovered_identifications", 10L);
    }

    /** Sends of a connected socket, cut by the system: each begins one after the first of the one before. */
    @Test
    void aSenderThatCountsItsSendsIsFoundOnce() {
        for (int send = 0; send < 20; send++) {
            delivered.clear();
            message(10, 0xfff0 + send & 0xffff, 1);
        }
        assertThat(counts()).containsEntry("link_recovered_identifications", 1L);
    }

    /** The same, where the system does not join again what was one send. */
    @Test
    void piecesOfSendsThatAreCountedAreExpectedOneByOne() {
        for (int send = 0; send < 20; send++) {
            int number = 0xfff0 + send & 0xffff;
            delivered.clear();
            message(1, number, 1);
            delivered.clear();
            message(1, number + 1 & 0xffff, 1);
        }
        assertThat(counts()).containsEntry("link_recovered_identifications", 1L);
    }

    /** The same, one datagram a send, which the system joined. */
    @Test
    void aSenderThatCountsItsDatagramsIsFoundOnce() {
        int number = 500;
        for (int count : new int[] {1, 1, 3, 7, 1, 2, 1}) {
            delivered.clear();
            message(count, number, 1);
            number += count;
        }
        assertThat(counts()).containsEntry("link_recovered_identifications", 1L);
    }

    @Test
    void aSenderThatCountsMayLoseSome() {
        for (int number : new int[] {500, 501, 503, 504, 509, 510}) {
            delivered.clear();
            message(1, number, 1);
        }
        assertThat(counts()).containsEntry("link_recovered_identifications", 3L);
    }

    @Test
    void aFlippedBitIsALostPacket() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2_000; i++) {
            long at = packet(3, 0);
            int bit = random.nextInt(BYTES * 8);
            if (bit / 8 == 4) {
                // Congestion bits may change on the way.
                continue;
            }
            Be.setByte(memory, at + bit / 8, Be.getUnsignedByte(memory, at + bit / 8) ^ 1 << bit % 8);
            begin();
            check.deliver(at, BYTES, sink);
        }
        assertThat(delivered).isEmpty();
        assertThat(counts()).containsOnlyKeys("dropped_bad_icrc");
    }

    @Test
    void packetsFromElsewhereAreNotTheirs() {
        check.begin(source.high(), source.low() + 1, PORT, destination);
        check.deliver(packet(1, 0), BYTES, sink);
        check.begin(source.high(), source.low(), PORT + 1, destination);
        check.deliver(packet(1, 0), BYTES, sink);
        assertThat(delivered).isEmpty();
        assertThat(counts()).containsOnly(Map.entry("dropped_bad_icrc", 2L));
    }

    @Test
    void shortPacketsAreNone() {
        begin();
        for (int bytes = 0; bytes < Bth.SIZE + Icrc.SIZE; bytes++) {
            check.deliver(0, bytes, sink);
        }
        assertThat(delivered).isEmpty();
        assertThat(counts()).containsOnly(Map.entry("dropped_too_short", 16L));
    }

    /** IPv6 has no identification: nothing is recovered, whatever the difference. */
    @Test
    void ipv6IsCheckedInFull() {
        Gid six = Gid.of(InetAddress.ofLiteral("2001:db8::1"));
        Gid other = Gid.of(InetAddress.ofLiteral("2001:db8::2"));
        Icrc flow = new Icrc(six, other, PORT);
        check.begin(six.high(), six.low(), PORT, other);
        Bth.write(memory, 0, Opcode.RC_SEND_ONLY, 0, 0x12, 9);
        Icrc.store(view, LENGTH, flow.compute(view, 0, LENGTH));
        check.deliver(0, BYTES, (packet, at, length, from, to) -> delivered.add(Bth.psn(packet, at)));
        assertThat(delivered).containsExactly(9);
        Icrc.store(view, LENGTH, flow.compute(view, 0, LENGTH) ^ 1);
        check.deliver(0, BYTES, sink);
        assertThat(delivered).hasSize(1);
    }
}
