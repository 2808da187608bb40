package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
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

    /** The number by which the program knows it in completions; 0 where these do not say it. */
    int userIndex() {
        return sendQueue instanceof Mlx5Queue queue ? queue.userIndex() : 0;
    }

    /** Where work requests lie. */
    public sealed interface WorkQueue {
        /** Scatter/gather elements of one work request. */
        int maxSge();

        /** Bytes of inline data of one work request; 0 for receives. */
        int maxInline();
    }

    /**
     * A ring of work requests as its creator sized it.
     *
     * @param ring the shared memory, of which the program is the producer
     * @param maxSge scatter/gather elements of one work request
     * @param maxInline bytes of inline data of one work request; 0 for receives
     */
    public record RingQueue(SharedRing ring, int maxSge, int maxInline) implements WorkQueue {}

    /**
     * A queue of mlx5 work requests in memory of the program.
     *
     * @param memory the queue, and nothing else: native memory of a shared or automatic arena, a power of two of strides
     * @param counter four bytes of the doorbell record, in which the program counts what it posted
     * @param stride bytes of an entry, a power of two: 64 for sends
     * @param userIndex the number that completions carry, 24 bits
     * @param maxSge scatter/gather elements of one work request
     * @param maxInline bytes of inline data of one work request; 0 for receives
     */
    public record Mlx5Queue(
            MemorySegment memory, MemorySegment counter, int stride, int userIndex, int maxSge, int maxInline)
            implements WorkQueue {
        /** How many entries it has. */
        public int entries() {
            return (int) (memory.byteSize() / stride);
        }
    }
}
