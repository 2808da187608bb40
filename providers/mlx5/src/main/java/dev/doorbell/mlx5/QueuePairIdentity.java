package dev.doorbell.mlx5;

import dev.doorbell.spec.QueuePairType;

/**
 * What a send queue writes into its work requests, or needs to write them.
 *
 * @param number the queue pair's
 * @param signalAll whether every work request completes visibly
 */
record QueuePairIdentity(
        int number, QueuePairType type, boolean signalAll, AddressTable addresses, WindowTable windows) {}
