package dev.doorbell.mlx5;

import org.jspecify.annotations.Nullable;

/**
 * The queues of a queue pair, as a completion queue sees them.
 *
 * @param number the queue pair's
 * @param receive null where it takes from a shared one
 * @param shared null where it has its own
 */
record WorkQueues(
        int number,
        Mlx5SendQueue send,
        @Nullable Mlx5ReceiveQueue receive,
        @Nullable Mlx5SharedReceives shared) {}
