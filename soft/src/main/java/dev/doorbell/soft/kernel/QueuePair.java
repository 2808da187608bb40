package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaQueuePair;
import dev.doorbell.soft.hca.Mlx5Posting;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its rings, the device's object, and what it keeps busy.
 *
 * @param hca the device's queue pair
 * @param domain whose memory it may name
 * @param sendCompletions where its sends complete
 * @param receiveCompletions where its receives complete
 * @param sendRing ring of send work requests; null if the queues lie in memory of the program
 * @param receiveRing ring of receive work requests; null with a shared receive queue, or where the other is
 * @param sharedReceives the shared receive queue that it takes from; null if it has its own
 * @param sizes what was granted
 * @param signalAll whether every send completes visibly
 * @param posting how the device sees what is posted; null if a doorbell tells it
 * @param events who its asynchronous events come from
 */
record QueuePair(
        HcaQueuePair hca,
        Domain domain,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        @Nullable Ring sendRing,
        @Nullable Ring receiveRing,
        @Nullable SharedReceiveQueue sharedReceives,
        QueuePairSizes sizes,
        boolean signalAll,
        @Nullable Mlx5Posting posting,
        EventSource events) {}
