package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.QueuePairType;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created from.
 *
 * @param domain whose memory its work requests may name
 * @param type transport service
 * @param sendCompletions where send work requests complete
 * @param receiveCompletions where receive work requests complete
 * @param sendQueue ring of send work requests and its limits
 * @param receiveQueue ring of receive work requests and its limits; null with a shared receive queue
 * @param sharedReceives the shared receive queue that it takes from; null if it has its own
 * @param signalAll whether every send work request completes visibly
 */
public record QueuePairRequest(
        HcaProtectionDomain domain,
        QueuePairType type,
        HcaCompletionQueue sendCompletions,
        HcaCompletionQueue receiveCompletions,
        WorkQueue sendQueue,
        @Nullable WorkQueue receiveQueue,
        @Nullable HcaSharedReceiveQueue sharedReceives,
        boolean signalAll) {
    /** Exactly one of the two sources of receives must be given. */
    public QueuePairRequest {
        if ((receiveQueue == null) == (sharedReceives == null)) {
            throw new IllegalArgumentException("a queue pair has either its own receive queue or a shared one");
        }
    }

    /**
     * A ring of work requests as its creator sized it.
     *
     * @param ring the shared memory, of which the program is the producer
     * @param maxSge scatter/gather elements of one work request
     * @param maxInline bytes of inline data of one work request; 0 for receives
     */
    public record WorkQueue(SharedRing ring, int maxSge, int maxInline) {}
}
