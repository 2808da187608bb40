package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.QueuePairType;
import java.util.Objects;

/** Makes the device's ends of a queue pair's rings. What a ring element can hold bounds what was asked for. */
final class QueueBuilder {
    private final HcaLimits limits;
    private final QueuePairRequest request;

    QueueBuilder(HcaLimits limits, QueuePairRequest request) {
        this.limits = limits;
        this.request = request;
    }

    SendQueue sendQueue() {
        QueuePairRequest.WorkQueue queue = request.sendQueue();
        return new SendQueue(queue.ring(), RxeFormat.INSTANCE, limits(queue, sendSges(), queue.maxInline()));
    }

    ReceiveSource receives() {
        QueuePairRequest.WorkQueue queue = request.receiveQueue();
        return queue == null
                ? sharedReceives()
                : new ReceiveQueue(queue.ring(), RxeFormat.INSTANCE, limits(queue, receiveSges(), 0));
    }

    int sendSges() {
        return sges(request.sendQueue(), RxeSendWqe.SIZE);
    }

    int receiveSges() {
        QueuePairRequest.WorkQueue queue = request.receiveQueue();
        return queue == null ? sharedReceives().maxSge() : sges(queue, RxeRecvWqe.SIZE);
    }

    private HcaSharedReceiveQueue sharedReceives() {
        return Objects.requireNonNull(request.sharedReceives());
    }

    private WorkRequestFormat.Limits limits(QueuePairRequest.WorkQueue queue, int maxSge, int maxInline) {
        return new WorkRequestFormat.Limits(
                queue.ring().elementSize(),
                maxSge,
                maxInline,
                limits.maxMessageBytes(),
                request.type() == QueuePairType.UD);
    }

    private static int sges(QueuePairRequest.WorkQueue queue, int header) {
        SharedRing ring = queue.ring();
        if (ring.elementSize() < header) {
            throw new IllegalArgumentException(
                    "ring elements of " + ring.elementSize() + " bytes hold no work request of " + header);
        }
        return Math.max(0, Math.min(queue.maxSge(), (ring.elementSize() - header) / RxeSge.SIZE));
    }
}
