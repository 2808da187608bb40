package dev.doorbell.soft.hca;

import java.lang.foreign.MemorySegment;

/**
 * The device's end of an mlx5 receive queue. Belongs to the responder and its lock. The program's count is read only when
 * the queue looks empty. Memory that is gone is an empty queue.
 */
final class Mlx5ReceiveQueue extends ReceiveSource {
    private final MemorySegment memory;
    private final MemorySegment counter;
    private final int stride;
    private final int entries;
    private final int maxSge;
    private int producer;
    private int consumer;

    Mlx5ReceiveQueue(QueuePairRequest.Mlx5Queue queue, WorkRequestFormat.Limits limits) {
        this.memory = queue.memory();
        this.counter = queue.counter();
        this.stride = queue.stride();
        this.entries = queue.entries();
        this.maxSge = limits.maxSge();
    }

    @Override
    Take take(ReceiveRequest into) {
        try {
            if (consumer == producer) {
                producer = Mlx5Receives.posted(counter);
                if (consumer == producer) {
                    return Take.NONE;
                }
            }
            into.id = consumer;
            long at = (long) (consumer & entries - 1) * stride;
            return Mlx5Receives.read(memory, at, at + stride, maxSge, into) ? Take.TAKEN : Take.MALFORMED;
        } catch (IllegalStateException closed) {
            return Take.NONE;
        }
    }

    /** Whether the program has posted something that was not taken. */
    boolean isPosted() {
        try {
            return Mlx5Receives.posted(counter) != consumer;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    @Override
    void complete() {
        consumer = consumer + 1 & Mlx5Receives.INDEX_MASK;
    }

    @Override
    void prefetch() {}

    @Override
    boolean isOwn() {
        return true;
    }

    @Override
    int capacity() {
        return entries;
    }

    @Override
    void drop() {
        producer = 0;
        consumer = 0;
    }
}
