package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;

/**
 * The responding half of a datagram service (rule 3.13): whoever knows the Q_Key may send to it. What does not fit is
 * dropped, and nobody is told.
 */
final class DatagramResponder extends RespondingHalf {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.bit();
    private static final int GRH = WorkCompletionFlag.GRH.bit();
    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();

    private final InboundDatagram arrived;
    private final MemoryCursor header;
    private final MemoryCursor target;
    private final Transfer transfer;
    private QueuePairSettings settings;

    DatagramResponder(HcaQueuePair queuePair, MemoryRegions regions, ReceiveSource receives, int maxSge) {
        super(queuePair, receives, maxSge);
        this.arrived = new InboundDatagram(regions);
        this.header = new MemoryCursor(regions);
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
        this.settings = queuePair.settings();
    }

    @Override
    void configure(QueuePairSettings changed) {
        settings = changed;
    }

    @Override
    void start(QueuePairSettings changed) {
        configure(changed);
        queuePair.listen();
    }

    @Override
    boolean acceptPacket(PacketView packet, Gid source, Gid destination) {
        arrived.read(packet, source, destination, queuePair.hca().arrivingFields());
        accept(arrived);
        return false;
    }

    /** Takes a datagram, or drops it. Returns false if its bytes could not be read; then nothing has happened here. */
    boolean accept(InboundDatagram datagram) {
        if (!queuePair.isReceiving()) {
            counters.add(Counter.DROPPED_QP_STATE);
        } else if (datagram.qkey != settings.qkey) {
            counters.add(Counter.DROPPED_QKEY_MISMATCH);
        } else if (takeReceive()) {
            return place(datagram);
        }
        return true;
    }

    /** Takes a receive work request, unless one is left from a datagram that did not fit. */
    private boolean takeReceive() {
        if (receiving) {
            return true;
        }
        return switch (receives.take(receive)) {
            case TAKEN -> {
                receiving = true;
                yield true;
            }
            case NONE -> {
                counters.add(Counter.DROPPED_NO_RECEIVE);
                yield false;
            }
            case MALFORMED -> {
                receiving = true;
                breakDown(WorkCompletionStatus.LOC_QP_OP_ERR);
                yield false;
            }
            case BROKEN -> {
                breakDown(WorkCompletionStatus.LOC_QP_OP_ERR);
                yield false;
            }
        };
    }

    private boolean place(InboundDatagram datagram) {
        long bytes = GrhArea.SIZE + datagram.payloadBytes;
        if (bytes > receive.sges.bytes()) {
            tooLong();
            return true;
        }
        header.range(datagram.header, 0, GrhArea.SIZE);
        target.elements(receive.sges, queuePair.domain(), LOCAL_WRITE);
        Transfer.Outcome outcome = transfer.copy(header, target, GrhArea.SIZE);
        if (outcome == Transfer.Outcome.DONE) {
            outcome = transfer.copy(datagram.payload, target, datagram.payloadBytes);
        }
        switch (outcome) {
            case DONE -> deliver(datagram, bytes);
            case TARGET_FAULT -> breakDown(WorkCompletionStatus.LOC_PROT_ERR);
            case SOURCE_FAULT -> {
                return false;
            }
        }
        return true;
    }

    private void deliver(InboundDatagram datagram, long bytes) {
        counters.add(Counter.RDMA_RECVS);
        completion.id = receive.id;
        completion.status = WorkCompletionStatus.SUCCESS;
        completion.opcode = WorkCompletionOpcode.RECV;
        completion.bytes = bytes;
        completion.flags = datagram.hasImmediate ? GRH | WITH_IMM : GRH;
        completion.immediate = datagram.hasImmediate ? datagram.immediate : 0;
        completion.queuePair = queuePair.number();
        completion.sourceQueuePair = datagram.sourceQueuePair;
        completion.port = settings.port;
        completion.solicited = datagram.solicited;
        receiving = false;
        receives.complete();
        if (!queuePair.receiveCompletions().post(completion)) {
            queuePair.failedByResponder(AsyncEventType.QP_FATAL);
            flush();
        }
        receives.prefetch();
    }

    /** As with rxe, the receive work request serves a datagram that fits; one of a shared queue fails. */
    private void tooLong() {
        counters.add(Counter.DROPPED_REQUEST);
        if (!receives.isOwn()) {
            fail(WorkCompletionStatus.REM_INV_REQ_ERR);
        }
    }

    /** What is wrong with a receive work request of one's own breaks the queue pair. */
    private void breakDown(WorkCompletionStatus status) {
        if (receiving) {
            fail(status);
        }
        queuePair.failedByResponder(AsyncEventType.QP_REQ_ERR);
        flush();
    }
}
