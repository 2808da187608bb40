package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;

/**
 * The device's end of a send ring. Belongs to the requester and its lock.
 *
 * <p>Two positions: {@code next} is the work request to take up, {@code done} the oldest that has not completed. The
 * program's index is read only when the ring looks empty.
 */
final class RingSendQueue extends SendQueue {
    private final SharedRing ring;
    private final WorkRequestFormat format;
    private final WorkRequestFormat.Limits limits;
    private int producer;
    private int next;
    private int done;

    RingSendQueue(SharedRing ring, WorkRequestFormat format, WorkRequestFormat.Limits limits) {
        this.ring = ring;
        this.format = format;
        this.limits = limits;
    }

    @Override
    boolean hasNext() {
        if (next == producer) {
            producer = ring.producerAcquire();
        }
        return next != producer;
    }

    @Override
    int capacity() {
        return ring.capacity();
    }

    @Override
    WorkCompletionStatus take(WorkRequest into) {
        long at = ring.offset(next);
        next = ring.next(next);
        return format.decodeSend(ring.memory(), at, limits, into);
    }

    @Override
    void complete() {
        done = ring.next(done);
        ring.consumerRelease(done);
    }

    @Override
    void drop() {
        producer = ring.producerAcquire();
        next = producer;
        done = producer;
        ring.consumerRelease(done);
    }
}
