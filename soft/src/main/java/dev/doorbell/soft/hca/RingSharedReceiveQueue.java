package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/** A shared receive queue as rxe has them: a ring, which the program fills in order. */
public final class RingSharedReceiveQueue extends HcaSharedReceiveQueue {
    private final WorkRequestFormat format = RxeFormat.INSTANCE;
    private final WorkRequestFormat.Limits limits;

    // Guarded by the lock.
    private SharedRing ring;
    private int producer;
    private int consumer;

    /**
     * Created by {@link Hca#createSharedReceiveQueue}.
     *
     * @throws IllegalArgumentException if the ring's elements cannot hold that many scatter/gather elements
     */
    RingSharedReceiveQueue(SharedRing ring, int maxSge, int limit, SharedReceiveListener listener) {
        super(maxSge, limit, listener);
        if (maxSge < 0 || RxeRecvWqe.sge(0, maxSge) > ring.elementSize()) {
            throw new IllegalArgumentException(
                    maxSge + " elements do not fit in a ring element of " + ring.elementSize() + " bytes");
        }
        this.ring = ring;
        this.limits = new WorkRequestFormat.Limits(ring.elementSize(), maxSge, 0, 0, false);
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
    boolean isEmpty() {
        if (consumer == producer) {
            producer = ring.producerAcquire();
        }
        return consumer == producer;
    }

    @Override
    boolean takeOldest(ReceiveRequest into) {
        boolean sound = format.decodeReceive(ring.memory(), ring.offset(consumer), limits, into)
                == WorkCompletionStatus.SUCCESS;
        consumer = ring.next(consumer);
        ring.consumerRelease(consumer);
        return sound;
    }

    @Override
    boolean isBelow(int bound) {
        if (ring.count(producer, consumer) >= bound) {
            return false;
        }
        producer = ring.producerAcquire();
        return ring.count(producer, consumer) < bound;
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
}
