package dev.doorbell.soft.hca;

import dev.doorbell.memory.Shared;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;

/**
 * The device's end of a receive ring. Belongs to the responder and its lock. The program's index is read only when the
 * ring looks empty. An element is given back when its work request is complete.
 */
final class ReceiveQueue extends ReceiveSource {
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

    @Override
    Take take(ReceiveRequest into) {
        if (consumer == producer) {
            producer = ring.producerAcquire();
            if (consumer == producer) {
                return Take.NONE;
            }
        }
        WorkCompletionStatus status = format.decodeReceive(ring.memory(), ring.offset(consumer), limits, into);
        return status == WorkCompletionStatus.SUCCESS ? Take.TAKEN : Take.MALFORMED;
    }

    @Override
    void complete() {
        consumer = ring.next(consumer);
        ring.consumerRelease(consumer);
    }

    /**
     * The program wrote the next work request, so its cache line is elsewhere: better to wait for it now than when a
     * message is waiting for it.
     */
    @Override
    void prefetch() {
        if (consumer != producer) {
            Shared.getIntAcquire(ring.memory(), ring.offset(consumer));
        }
    }

    @Override
    boolean isOwn() {
        return true;
    }

    @Override
    int capacity() {
        return ring.capacity();
    }

    @Override
    void drop() {
        producer = ring.producerAcquire();
        consumer = producer;
        ring.consumerRelease(consumer);
    }
}
