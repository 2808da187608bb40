package dev.doorbell.soft.hca;

/** Makes the device's ends of mlx5's queues; apart, so that nobody else needs their classes. */
final class Mlx5Queues {
    private Mlx5Queues() {}

    static SendQueue sends(
            Hca hca, QueuePairRequest.Mlx5Queue queue, WorkRequestFormat.Limits limits, HcaProtectionDomain domain) {
        return new Mlx5SendQueue(queue, new Mlx5SendFormat(hca, queue.memory(), limits, domain));
    }

    static ReceiveSource receives(QueuePairRequest.Mlx5Queue queue, WorkRequestFormat.Limits limits) {
        return new Mlx5ReceiveQueue(queue, limits);
    }
}
