package dev.doorbell.soft.hca;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;

/**
 * The responding half of an unreliable connection (rule 3.12). What would be refused on a reliable one is dropped here,
 * the whole message with it, and nobody is told; the next message that is complete counts again.
 */
final class UnreliableResponder extends Responder {
    private final InboundRequest request;
    private int mtu;

    UnreliableResponder(HcaQueuePair queuePair, MemoryRegions regions, ReceiveSource receives, int maxSge) {
        super(queuePair, regions, receives, maxSge);
        this.request = new InboundRequest(regions);
    }

    @Override
    void configure(QueuePairSettings changed) {
        super.configure(changed);
        mtu = 1 << changed.mtuShift();
    }

    @Override
    void start(QueuePairSettings changed) {
        begin(changed);
        configure(changed);
        reroute();
    }

    @Override
    void reroute() {
        queuePair.listen();
    }

    @Override
    boolean acceptPacket(PacketView packet, Gid source, Gid destination) {
        if (queuePair.isReceiving()) {
            request.read(packet);
            request.readMessage(packet, mtu);
            accept(request);
        } else {
            counters.add(Counter.DROPPED_QP_STATE);
        }
        return false;
    }

    /** After a gap everything is dropped up to the beginning of a message, and counting goes on from there. */
    @Override
    Verdict accept(InboundRequest arrived) {
        if (arrived.psn != expectedPsn()) {
            counters.add(Counter.OUT_OF_SEQ_REQUEST);
            dropMessage();
            if (!arrived.first) {
                return Verdict.SILENT;
            }
            expect(arrived.psn);
        }
        if (arrived.first) {
            dropMessage();
        }
        return carryOut(arrived);
    }

    @Override
    Verdict notReady() {
        counters.add(Counter.DROPPED_NO_RECEIVE);
        dropMessage();
        return Verdict.SILENT;
    }

    /** Only what is wrong with a receive work request of one's own breaks the queue pair. */
    @Override
    Verdict refuse(Verdict verdict, WorkCompletionStatus receiveStatus) {
        if (verdict == Verdict.OPERATIONAL_ERROR) {
            return super.refuse(verdict, receiveStatus);
        }
        counters.add(Counter.DROPPED_REQUEST);
        dropMessage();
        if (receiving && !receives.isOwn()) {
            // As with rxe, what was taken from a shared queue is not used for another message.
            boolean access = verdict == Verdict.ACCESS_ERROR;
            fail(access ? WorkCompletionStatus.REM_ACCESS_ERR : WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        return Verdict.SILENT;
    }
}
