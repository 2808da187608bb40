package dev.doorbell.soft.hca;

/**
 * A shared receive queue: receive work requests from which several queue pairs take (rule 3.10).
 *
 * <p>Taking is one step under the queue's lock: the work request is copied, checked, and its element given back to the
 * program at once. Whoever took it has the only copy, and completes it.
 *
 * <p>Thread rules: any thread. Its lock comes after a responder's and before a completion queue's; the listener is
 * called after it was released, by whoever took the work request that mattered.
 */
public abstract sealed class HcaSharedReceiveQueue extends ReceiveSource
        permits RingSharedReceiveQueue, Mlx5SharedReceiveQueue {
    final EngineLock lock = new EngineLock(EngineLock.Level.SHARED_RECEIVE_QUEUE);
    private final SharedReceiveListener listener;
    private final int maxSge;

    // Guarded by the lock.
    private int limit;
    private boolean broken;

    HcaSharedReceiveQueue(int maxSge, int limit, SharedReceiveListener listener) {
        this.maxSge = maxSge;
        this.limit = limit;
        this.listener = listener;
    }

    /** Whether no work request waits. With the lock. */
    abstract boolean isEmpty();

    /** Copies the oldest work request, gives its element back and moves on; whether it makes sense. With the lock. */
    abstract boolean takeOldest(ReceiveRequest into);

    /** Whether fewer work requests wait than that. With the lock. */
    abstract boolean isBelow(int bound);

    /** Most scatter/gather elements of a work request. */
    public final int maxSge() {
        return maxSge;
    }

    /** The limit that is armed; 0 if none is. */
    public final int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the queue is in error. */
    public final boolean isBroken() {
        lock.lock();
        try {
            return broken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Arms the limit: the first taking that leaves fewer work requests is reported, once. As rxe does, arming it does not
     * look at the queue.
     *
     * @param value 0 disarms
     */
    public final void arm(int value) {
        lock.lock();
        limit = value;
        lock.unlock();
    }

    @Override
    final Take take(ReceiveRequest into) {
        boolean fires = false;
        boolean breaks = false;
        Take outcome;
        lock.lock();
        if (broken) {
            outcome = Take.BROKEN;
        } else if (isEmpty()) {
            outcome = Take.NONE;
        } else {
            boolean sound = takeOldest(into);
            outcome = sound ? Take.TAKEN : Take.MALFORMED;
            breaks = !sound;
            broken = breaks;
            fires = limit != 0 && isBelow(limit);
            limit = fires ? 0 : limit;
        }
        lock.unlock();
        if (fires) {
            listener.limitReached();
        }
        if (breaks) {
            listener.failed();
        }
        return outcome;
    }

    /** Its element went back when it was taken. */
    @Override
    final void complete() {}

    @Override
    final void prefetch() {}

    @Override
    final boolean isOwn() {
        return false;
    }

    /** Others go on taking from it. */
    @Override
    final void drop() {}
}
