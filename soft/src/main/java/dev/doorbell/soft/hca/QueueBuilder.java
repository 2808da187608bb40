package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.QueuePairType;
import java.util.Objects;

/** Makes the device's ends of a queue pair's queues. What a ring element can hold bounds what was asked for. */
final class QueueBuilder {
    private final Hca hca;
    private final QueuePairRequest request;

    QueueBuilder(Hca hca, QueuePairRequest request) {
        this.hca = hca;
        this.request = request;
    }

    SendQueue sendQueue() {
        QueuePairRequest.WorkQueue queue = request.sendQueue();
        return switch (queue) {
            case QueuePairRequest.RingQueue ring ->
                new RingSendQueue(
                        ring.ring(),
                        RxeFormat.INSTANCE,
                        limits(ring.ring().elementSize(), sendSges(), queue.maxInline()));
            case QueuePairRequest.Mlx5Queue memory ->
                Mlx5Queues.sends(hca, memory, limits(memory.stride(), sendSges(), queue.maxInline()), request.domain());
        };
    }

    ReceiveSource receives() {
        QueuePairRequest.WorkQueue queue = request.receiveQueue();
        return switch (queue) {
            case null -> sharedReceives();
            case QueuePairRequest.RingQueue ring ->
                new ReceiveQueue(
                        ring.ring(), RxeFormat.INSTANCE, limits(ring.ring().elementSize(), receiveSges(), 0));
            case QueuePairRequest.Mlx5Queue memory ->
                Mlx5Queues.receives(memory, limits(memory.stride(), receiveSges(), 0));
        };
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

    private WorkRequestFormat.Limits limits(int elementSize, int maxSge, int maxInline) {
        return new WorkRequestFormat.Limits(
                elementSize, maxSge, maxInline, hca.limits().maxMessageBytes(), request.type() == QueuePairType.UD);
    }

    private static int sges(QueuePairRequest.WorkQueue queue, int header) {
        return switch (queue) {
            case QueuePairRequest.RingQueue ring -> sges(ring, header);
            case QueuePairRequest.Mlx5Queue memory -> memory.maxSge();
        };
    }

    private static int sges(QueuePairRequest.RingQueue queue, int header) {
        SharedRing ring = queue.ring();
        if (ring.elementSize() < header) {
            throw new IllegalArgumentException(
                    "ring elements of " + ring.elementSize() + " bytes hold no work request of " + header);
        }
        return Math.max(0, Math.min(queue.maxSge(), (ring.elementSize() - header) / RxeSge.SIZE));
    }
}
