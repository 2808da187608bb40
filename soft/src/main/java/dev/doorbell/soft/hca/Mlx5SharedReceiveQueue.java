package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.mlx5.SrqNextSegment;
import java.lang.foreign.MemorySegment;

/**
 * A shared receive queue as mlx5 has them, in memory of the program: entries are linked in the order in which they are
 * posted, and completions say which one they are for. Memory that is gone is an empty queue.
 */
public final class Mlx5SharedReceiveQueue extends HcaSharedReceiveQueue {
    private final MemorySegment memory;
    private final MemorySegment counter;
    private final int stride;
    private final int entries;

    // Guarded by the lock.
    private int head;
    private int taken;
    private int posted;

    /**
     * Created by {@link Hca#createMlx5SharedReceiveQueue}.
     *
     * @param queue its memory; what it says about inline data does not count
     */
    Mlx5SharedReceiveQueue(QueuePairRequest.Mlx5Queue queue, int limit, SharedReceiveListener listener) {
        super(queue.maxSge(), limit, listener);
        this.memory = queue.memory();
        this.counter = queue.counter();
        this.stride = queue.stride();
        this.entries = queue.entries();
    }

    @Override
    boolean isEmpty() {
        if (taken == posted) {
            look();
        }
        return taken == posted;
    }

    private void look() {
        try {
            posted = Mlx5Receives.posted(counter);
        } catch (IllegalStateException closed) {
            posted = taken;
        }
    }

    @Override
    boolean takeOldest(ReceiveRequest into) {
        into.id = head;
        try {
            long at = (long) head * stride;
            int next = SrqNextSegment.next(memory, at);
            boolean sound = Mlx5Receives.read(memory, at + SrqNextSegment.SIZE, at + stride, maxSge(), into);
            head = next & entries - 1;
            taken = taken + 1 & Mlx5Receives.INDEX_MASK;
            return sound;
        } catch (IllegalStateException closed) {
            posted = taken;
            return false;
        }
    }

    @Override
    boolean isBelow(int bound) {
        if ((posted - taken & Mlx5Receives.INDEX_MASK) >= bound) {
            return false;
        }
        look();
        return (posted - taken & Mlx5Receives.INDEX_MASK) < bound;
    }

    @Override
    int capacity() {
        return entries;
    }
}
