package dev.doorbell.soft.hca;

import dev.doorbell.memory.Shared;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;

/**
 * The device's end of a receive ring. Belongs to the responder and its lock. The program's index is read only when the
 * ring looks empty.
 */
final class ReceiveQueue extends Padded {
    private final SharedRing ring;
    private final WorkRequestFormat format;
    private final WorkRequestFormat.Limits limits;
    private int producer;
    private int consumer;

    ReceiveQueue(SharedRing ring, WorkRequestFormat format, WorkRequestFormat.Limits limits) {
        this.ring = ring;
        this.format = format;
        this.limits = limits;
    }

    /** Whether a work request waits. */
    boolean hasNext() {
        if (consumer == producer) {
            producer = ring.producerAcquire();
        }
        return consumer != producer;
    }

    /** Copies the oldest work request; it stays where it is. Its identifier is valid whatever the outcome. */
    WorkCompletionStatus peek(ReceiveRequest into) {
        return format.decodeReceive(ring.memory(), ring.offset(consumer), limits, into);
    }

    /** Gives the oldest work request's element back to the program. */
    void complete() {
        consumer = ring.next(consumer);
        ring.consumerRelease(consumer);
    }

    /**
     * Fetches the cache line of the work request that comes next, if one is known to be there. The program wrote it, so
     * its line is elsewhere: better to wait for it now than when a message is waiting for it.
     */
    void prefetch() {
        if (consumer != producer) {
            Shared.getIntAcquire(ring.memory(), ring.offset(consumer));
        }
    }

    /** Skips everything that is in the ring. */
    void drop() {
        producer = ring.producerAcquire();
        consumer = producer;
        ring.consumerRelease(consumer);
    }
}
