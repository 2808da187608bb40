package dev.doorbell.soft.hca;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.PacketView;
import dev.doorbell.wire.cm.CmMad;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets off the link and hands them to queue pairs. Used by one thread at a time: the one that the link lets
 * receive.
 */
final class PacketReceiver implements PacketSink {
    /** Packets that are taken before held-back acknowledgements go out. */
    private static final int BATCH = 64;

    /** Bytes after which they go out in the middle of a batch: the peer's window must not run dry meanwhile. */
    private static final int BATCH_BYTES = 96 << 10;

    /** Packets that do not make a stream, of which some may have brought a message that the program answers. */
    private static final int FEW = 4;

    /** How often to look at what waits. */
    private static final long LOOK_EVERY_NS = 1_000;

    /**
     * Queue pairs that hold something back at a time. Each may have a buffer of the link meanwhile, of which there are not
     * many more: an answer for which there is none is lost.
     */
    private static final int HOLDING = 32;

    private static final int PKEY_MASK = 0x7fff;

    final Counters counters = new Counters();

    private final Hca hca;
    private final PacketLink link;
    private final PacketView view = new PacketView();
    private long fields;

    private final SpinLock working = new SpinLock();

    /** Queue pairs that hold something back. */
    private final @Nullable HcaQueuePair[] unfinished = new @Nullable HcaQueuePair[HOLDING];

    private int unfinishedCount;

    /** What acknowledgements of several queue pairs leave through together; none before there is a queue pair that answers. */
    private volatile @Nullable Transmitter together;

    /** When to look next whether what waits has waited for long enough, if nothing arrives. */
    private long nextLookNs;

    /** Device time of the present round. */
    private long roundNs;

    /** Bytes since something was sent that was held back, or could have been. */
    private int roundBytes;

    /** Whether something is held back while nobody is at work. */
    private volatile boolean resumable;

    PacketReceiver(Hca hca, PacketLink link) {
        this.hca = hca;
        this.link = link;
    }

    /** There is a queue pair that answers, on the link as it is attached now. Not part of the data path. */
    void prepareAnswers() {
        together = link.newTransmitter();
    }

    boolean hasWork() {
        return link.hasPackets() || resumable;
    }

    /**
     * Takes a batch of packets, then lets queue pairs send what they held back.
     *
     * @param nowNs the present time
     * @param deviceNs the same in device time
     * @param patient whether the calling thread is expected to post or to come back soon, so that acknowledgements may wait
     *     for that
     * @return whether anything was done; nothing is, if another thread is at it
     */
    boolean work(long nowNs, long deviceNs, boolean patient) {
        if (!working.tryLock()) {
            return false;
        }
        try {
            roundNs = deviceNs;
            roundBytes = 0;
            int unfinishedBefore = unfinishedCount;
            int received = link.receive(this, nowNs, BATCH);
            if (received > 0 || !patient || deviceNs >= nextLookNs) {
                nextLookNs = deviceNs + LOOK_EVERY_NS;
                // In a stream nobody waits for replies.
                resume(patient && received <= FEW);
            }
            return received > 0 || unfinishedBefore > unfinishedCount || unfinishedCount > 0 && !patient;
        } finally {
            working.unlock();
        }
    }

    /** The {@link dev.doorbell.soft.link.IpFields} of the packet that is being handed on. */
    long fields() {
        return fields;
    }

    @Override
    public void header(long arrived) {
        fields = arrived;
    }

    @Override
    public void onPacket(MemorySegment memory, long at, int length, Gid source, Gid destination) {
        roundBytes += length;
        if (roundBytes > BATCH_BYTES && unfinishedCount > 0) {
            roundBytes = length;
            resume(false);
        }
        if (!view.parse(memory, at, length)) {
            counters.add(Counter.DROPPED_MALFORMED);
            return;
        }
        int opcode = view.opcode();
        if (opcode == Opcode.CNP) {
            counters.add(Counter.DROPPED_CNP);
            return;
        }
        if (view.destQp() == CmMad.QUEUE_PAIR) {
            manage(source, destination);
        } else if (view.destQp() == Bth.MULTICAST_QP && destination.isMulticast()) {
            deliver(hca.groups().members(destination), source, destination);
        } else {
            deliver(hca.queuePair(view.destQp()), source, destination);
        }
    }

    private void manage(Gid source, Gid destination) {
        if (view.opcode() != Opcode.UD_SEND_ONLY) {
            counters.add(Counter.DROPPED_TRANSPORT_MISMATCH);
        } else if (!hca.isLocal(destination)) {
            counters.add(Counter.DROPPED_ADDRESS_MISMATCH);
        } else if ((view.pkey() & PKEY_MASK) != PKEY_MASK) {
            counters.add(Counter.DROPPED_PKEY_MISMATCH);
        } else {
            counters.add(Counter.RCVD_PKTS);
            Counter defect = hca.generalServices().accept(view, source, destination);
            if (defect != null) {
                counters.add(defect);
            }
        }
    }

    private void deliver(HcaQueuePair[] members, Gid source, Gid group) {
        if (members.length == 0) {
            counters.add(Counter.DROPPED_UNKNOWN_QP);
        }
        for (HcaQueuePair member : members) {
            deliver(member, source, group);
        }
    }

    private void deliver(@Nullable HcaQueuePair queuePair, Gid source, Gid destination) {
        int opcode = view.opcode();
        if (queuePair == null) {
            counters.add(Counter.DROPPED_UNKNOWN_QP);
        } else if (!Opcode.serves(opcode, queuePair.type())) {
            counters.add(Counter.DROPPED_TRANSPORT_MISMATCH);
        } else if (!queuePair.listensTo(source, destination)) {
            counters.add(Counter.DROPPED_ADDRESS_MISMATCH);
        } else if ((view.pkey() & PKEY_MASK) != PKEY_MASK) {
            counters.add(Counter.DROPPED_PKEY_MISMATCH);
        } else {
            counters.add(Counter.RCVD_PKTS);
            if (queuePair.accept(view, source, destination)) {
                hold(queuePair);
            }
        }
    }

    private void hold(HcaQueuePair queuePair) {
        for (int index = 0; index < unfinishedCount; index++) {
            if (unfinished[index] == queuePair) {
                return;
            }
        }
        if (unfinishedCount == unfinished.length) {
            resume(false);
        }
        while (unfinishedCount == unfinished.length && resume(queuePair, null, false)) {}
        if (unfinishedCount < unfinished.length) {
            unfinished[unfinishedCount++] = queuePair;
        }
    }

    private void resume(boolean patient) {
        Transmitter carrier = together;
        int kept = 0;
        for (int index = 0; index < unfinishedCount; index++) {
            HcaQueuePair queuePair = unfinished[index];
            unfinished[index] = null;
            if (queuePair != null && resume(queuePair, carrier, patient)) {
                unfinished[kept++] = queuePair;
            }
        }
        if (carrier != null) {
            carrier.flush();
        }
        unfinishedCount = kept;
        if (resumable != kept > 0) {
            resumable = kept > 0;
        }
    }

    private boolean resume(HcaQueuePair queuePair, @Nullable Transmitter carrier, boolean patient) {
        return queuePair.resume(carrier, roundNs, patient);
    }
}
