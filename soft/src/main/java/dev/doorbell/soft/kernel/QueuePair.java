package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaQueuePair;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its rings, the device's object, and what it keeps busy.
 *
 * @param hca the device's queue pair
 * @param domain whose memory it may name
 * @param sendCompletions where its sends complete
 * @param receiveCompletions where its receives complete
 * @param sendRing ring of send work requests
 * @param receiveRing ring of receive work requests; null with a shared receive queue
 * @param sharedReceives the shared receive queue that it takes from; null if it has its own
 * @param sizes what was granted
 * @param signalAll whether every send completes visibly
 * @param events who its asynchronous events come from
 */
record QueuePair(
        HcaQueuePair hca,
        Domain domain,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        Ring sendRing,
        @Nullable Ring receiveRing,
        @Nullable SharedReceiveQueue sharedReceives,
        QueuePairSizes sizes,
        boolean signalAll,
        EventSource events) {}
