package dev.doorbell.rxe;

import dev.doorbell.memory.Faults;
import dev.doorbell.memory.Padded;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The program's end of a ring that it fills: send, receive or shared receive ring. A batch grows behind the last work
 * request that the kernel may see; releasing it moves the producer's index over the whole batch.
 *
 * <pre>
 *        consumer          posted            next
 *   ─ free ─┼── the kernel's ──┼── the batch ──┼── free ─
 *           as it was seen last                └ the open work request, until it is sealed
 * </pre>
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
abstract class RingProducer extends Padded {
    private final int maxSge;

    private int capacity;
    private SharedRing ring;

    /** The ring's memory. */
    MemorySegment memory;

    /** The producer's index as the kernel knows it. */
    private int posted;

    /** The producer's index that a release would tell. */
    private int next;

    /** The consumer's index when it was looked at last. */
    private int consumer;

    /** What was outstanding when the ring was let go. */
    private int left;

    /** Why the ring is gone, of a queue that lost it. */
    private @Nullable VerbsFault loss;

    /** What was outstanding then: the kernel has no more since. */
    private int lost;

    RingProducer(SharedRing ring, int maxSge) {
        this.ring = ring;
        this.memory = ring.memory();
        this.capacity = ring.capacity();
        this.maxSge = maxSge;
        synchronise();
    }

    /** Work requests that the queue holds. */
    public final int capacity() {
        return capacity;
    }

    /** Most scatter/gather elements of a work request. */
    public final int maxSge() {
        return maxSge;
    }

    /** Work requests that the kernel has not given back. */
    public final int outstanding() {
        consumer = ring.consumerAcquire();
        return ring.count(posted, consumer) + left;
    }

    /** Starts a batch; what was not released is forgotten. */
    public final void begin() {
        next = posted;
    }

    /** Whether there is a slot for one more work request. The kernel's index is read only if there seems to be none. */
    final boolean hasRoom() {
        return ring.free(next, consumer) != 0 || findRoom();
    }

    private boolean findRoom() {
        if (loss != null) {
            throw VerbsFault.lostRing("post", loss);
        }
        consumer = ring.consumerAcquire();
        return ring.free(next, consumer) != 0;
    }

    /** Where the open work request lies; only where there is room. */
    final long slot() {
        return ring.offset(next);
    }

    /** The open work request belongs to the batch. */
    final void append() {
        next = ring.next(next);
    }

    /** Hands the batch to the kernel; false if it is empty. */
    final boolean release() {
        if (next == posted) {
            return false;
        }
        posted = next;
        ring.producerRelease(next);
        return true;
    }

    /**
     * Takes both indices as they stand in the ring: the kernel has just made it, or emptied it. Of a ring that cannot be
     * touched they stay as they are; whoever posts to it is told.
     */
    final void synchronise() {
        try {
            int produced = ring.producerAcquire();
            int consumed = ring.consumerAcquire();
            Faults.deliver();
            posted = produced;
            consumer = consumed;
        } catch (InternalError gone) {
            posted = consumer;
        }
        next = posted;
    }

    /** Goes on with another ring, into which the kernel has moved what was outstanding. */
    final void attach(SharedRing next) {
        ring = next;
        memory = next.memory();
        capacity = next.capacity();
        loss = null;
        synchronise();
    }

    /**
     * Lets go of the ring, which the kernel has done before: from now on the queue is full, a late setter writes where it
     * does no harm, and what is outstanding stays so.
     *
     * @param mapped whether the ring can still be read
     */
    void detach(boolean mapped) {
        left = mapped ? lastOutstanding() : 0;
        ring = MappedRing.GONE;
        memory = ring.memory();
        synchronise();
    }

    /**
     * The kernel takes from elsewhere from now on, where nobody can post: the queue is full, and who finds it full is told
     * why. How much is outstanding cannot be seen any more. Ends when another ring is attached.
     */
    final void lose(VerbsFault why) {
        lost = mostOutstanding();
        loss = why;
        detach(false);
    }

    /** As {@link #outstanding}; of a queue that lost its ring, the most that it can be. */
    final int mostOutstanding() {
        return loss == null ? lastOutstanding() : lost;
    }

    /** As {@link #outstanding}, for who may wait; of a ring that cannot be touched any more, as it was looked at last. */
    final int lastOutstanding() {
        try {
            int consumed = ring.consumerAcquire();
            Faults.deliver();
            consumer = consumed;
        } catch (InternalError gone) {
            // Nobody takes from it any more.
        }
        return ring.count(posted, consumer) + left;
    }
}
