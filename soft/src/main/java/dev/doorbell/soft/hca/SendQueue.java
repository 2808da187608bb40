package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;

/**
 * The device's end of a send ring. Belongs to the requester and its lock.
 *
 * <p>Two positions: {@code next} is the work request to take up, {@code done} the oldest that has not completed. The
 * program's index is read only when the ring looks empty.
 */
final class SendQueue extends Padded {
    private final SharedRing ring;
    private final WorkRequestFormat format;
    private final WorkRequestFormat.Limits limits;
    private int producer;
    private int next;
    private int done;

    SendQueue(SharedRing ring, WorkRequestFormat format, WorkRequestFormat.Limits limits) {
        this.ring = ring;
        this.format = format;
        this.limits = limits;
    }

    /** Whether a work request waits to be taken up. */
    boolean hasNext() {
        if (next == producer) {
            producer = ring.producerAcquire();
        }
        return next != producer;
    }

    /**
     * How many work requests wait at most. Whoever empties the ring takes no more than that: what is posted meanwhile comes
     * with a doorbell of its own.
     */
    int capacity() {
        return ring.capacity();
    }

    /** Copies the work request to take up next, and moves on. Its identifier is valid whatever the outcome. */
    WorkCompletionStatus take(WorkRequest into) {
        long at = ring.offset(next);
        next = ring.next(next);
        return format.decodeSend(ring.memory(), at, limits, into);
    }

    /** Gives the oldest work request's element back to the program. */
    void complete() {
        done = ring.next(done);
        ring.consumerRelease(done);
    }

    /** Skips everything that is in the ring. */
    void drop() {
        producer = ring.producerAcquire();
        next = producer;
        done = producer;
        ring.consumerRelease(done);
    }
}
