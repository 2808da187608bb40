package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * The device's end of an mlx5 send queue: blocks in memory of the program, which counts in the doorbell record how many it
 * has filled. What was taken is given back by its completion alone.
 *
 * <p>The memory is the program's, and may go at any time: from then on the queue is empty.
 */
final class Mlx5SendQueue extends SendQueue {
    private final Mlx5SendFormat format;
    private final MemorySegment counter;
    private final int blocks;
    private int producer;
    private int next;
    private boolean gone;

    /** The program's count when {@link #isPosted} last had an answer; also read by threads without the lock. */
    private volatile int seen;

    Mlx5SendQueue(QueuePairRequest.Mlx5Queue queue, Mlx5SendFormat format) {
        this.format = format;
        this.counter = queue.counter();
        this.blocks = queue.entries();
    }

    /** Whether the program has posted since {@link #look}. Without the lock. */
    boolean isPosted() {
        return !gone && read() != seen;
    }

    /** Whoever calls this takes care of what is posted by now. */
    void look() {
        seen = read();
    }

    private int read() {
        try {
            return Mlx5Receives.posted(counter);
        } catch (IllegalStateException closed) {
            gone = true;
            return seen;
        }
    }

    @Override
    boolean hasNext() {
        if (next == producer) {
            producer = read();
        }
        return next != producer && !gone;
    }

    @Override
    int capacity() {
        return blocks;
    }

    @Override
    WorkCompletionStatus take(WorkRequest into) {
        int index = next;
        int waiting = producer - next & Mlx5Receives.INDEX_MASK;
        WorkCompletionStatus status = format.decode(index, Math.min(waiting, blocks), into);
        int taken = format.blocks();
        // Where a work request ends that makes no sense, nobody knows: what follows is lost with it.
        next = taken == 0 ? producer : index + taken & Mlx5Receives.INDEX_MASK;
        return status;
    }

    @Override
    void complete() {}

    /** The program starts to count anew, as the hardware does. */
    @Override
    void drop() {
        producer = 0;
        next = 0;
        seen = 0;
    }
}
