package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * A shared receive queue: the device's end of a ring of receive work requests from which several queue pairs take
 * (rule 3.10).
 *
 * <p>Taking is one step under the queue's lock: the work request is copied, checked, and its element given back to the
 * program at once. Whoever took it has the only copy, and completes it.
 *
 * <p>Thread rules: any thread. Its lock comes after a responder's and before a completion queue's; the listener is
 * called after it was released, by whoever took the work request that mattered.
 */
public final class HcaSharedReceiveQueue extends ReceiveSource {
    private final EngineLock lock = new EngineLock(EngineLock.Level.SHARED_RECEIVE_QUEUE);
    private final WorkRequestFormat format = RxeFormat.INSTANCE;
    private final SharedReceiveListener listener;
    private final WorkRequestFormat.Limits limits;

    // Guarded by the lock.
    private SharedRing ring;
    private int producer;
    private int consumer;
    private int limit;
    private boolean broken;

    /**
     * Created by {@link Hca#createSharedReceiveQueue}.
     *
     * @throws IllegalArgumentException if the ring's elements cannot hold that many scatter/gather elements
     */
    HcaSharedReceiveQueue(SharedRing ring, int maxSge, int limit, SharedReceiveListener listener) {
        if (maxSge < 0 || RxeRecvWqe.sge(0, maxSge) > ring.elementSize()) {
            throw new IllegalArgumentException(
                    maxSge + " elements do not fit in a ring element of " + ring.elementSize() + " bytes");
        }
        this.ring = ring;
        this.limit = limit;
        this.listener = listener;
        this.limits = new WorkRequestFormat.Limits(ring.elementSize(), maxSge, 0, 0, false);
    }

    /** Most scatter/gather elements of a work request. */
    public int maxSge() {
        return limits.maxSge();
    }

    /** The limit that is armed; 0 if none is. */
    public int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the queue is in error. */
    public boolean isBroken() {
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
    public void arm(int value) {
        lock.lock();
        limit = value;
        lock.unlock();
    }

    /**
     * Moves the queue, with the work requests that wait in it, to another ring. The program must not be posting
     * meanwhile; if it is, what it posts may be lost, nothing worse.
     *
     * @param next an empty ring
     * @param capacity how many work requests the new ring is to hold; more than that must not wait
     * @return 0, or EINVAL if more wait
     */
    public int resize(SharedRing next, int capacity) {
        lock.lock();
        try {
            int end = ring.producerAcquire();
            int waiting = ring.count(end, consumer);
            if (waiting > Math.min(capacity, next.capacity()) || next.elementSize() != ring.elementSize()) {
                return Errno.EINVAL;
            }
            int to = 0;
            for (int from = consumer; from != end; from = ring.next(from)) {
                MemorySegment.copy(
                        ring.memory(), ring.offset(from), next.memory(), next.offset(to), ring.elementSize());
                to = next.next(to);
            }
            next.producerRelease(to);
            ring = next;
            producer = to;
            consumer = 0;
            return 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    Take take(ReceiveRequest into) {
        boolean fires = false;
        boolean breaks = false;
        Take outcome;
        lock.lock();
        if (broken) {
            outcome = Take.BROKEN;
        } else if (isEmpty()) {
            outcome = Take.NONE;
        } else {
            boolean sound = format.decodeReceive(ring.memory(), ring.offset(consumer), limits, into)
                    == WorkCompletionStatus.SUCCESS;
            outcome = sound ? Take.TAKEN : Take.MALFORMED;
            breaks = !sound;
            broken = breaks;
            consumer = ring.next(consumer);
            ring.consumerRelease(consumer);
            fires = limit != 0 && isBelowLimit();
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

    private boolean isEmpty() {
        if (consumer == producer) {
            producer = ring.producerAcquire();
        }
        return consumer == producer;
    }

    private boolean isBelowLimit() {
        if (ring.count(producer, consumer) >= limit) {
            return false;
        }
        producer = ring.producerAcquire();
        return ring.count(producer, consumer) < limit;
    }

    /** Its element went back when it was taken. */
    @Override
    void complete() {}

    @Override
    void prefetch() {}

    @Override
    boolean isOwn() {
        return false;
    }

    @Override
    int capacity() {
        lock.lock();
        try {
            return ring.capacity();
        } finally {
            lock.unlock();
        }
    }

    /** Others go on taking from it. */
    @Override
    void drop() {}
}
