package dev.doorbell.soft.hca;

/**
 * Where a responder gets its receive work requests: from a queue of its own, or from one that it shares with others. A
 * work request is copied out and checked when it is taken; nothing is read from the ring after that.
 */
abstract sealed class ReceiveSource extends Padded permits ReceiveQueue, Mlx5ReceiveQueue, HcaSharedReceiveQueue {
    /** How taking a work request went. */
    enum Take {
        /** It was copied and can be used. */
        TAKEN,
        /** There is none. */
        NONE,
        /** It makes no sense; its identifier was copied, and it fails with LOC_QP_OP_ERR. */
        MALFORMED,
        /** The queue is in error and hands out nothing any more. */
        BROKEN
    }

    /**
     * Takes the oldest work request. It is the caller's until {@link #complete()}.
     *
     * @param into receives the copy
     */
    abstract Take take(ReceiveRequest into);

    /** The work request that was taken last is done: what its element still occupies is given back to the program. */
    abstract void complete();

    /** Fetches what the next {@link #take} will read, while nobody waits for it. */
    abstract void prefetch();

    /** Whether it belongs to one queue pair, and is flushed and emptied with it. */
    abstract boolean isOwn();

    /** How many work requests wait at most. */
    abstract int capacity();

    /** Skips everything that is in the ring. */
    abstract void drop();
}
