package dev.doorbell.mlx5;

import dev.doorbell.memory.Padded;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What was written into a send queue, by the block in which it begins: completions name blocks.
 *
 * <p>Thread rules: whoever posts notes, the poller of completions retires.
 */
final class PostedRequests extends Padded {
    /** A work request takes an identifier, and a word with the count of those before it and its completion opcode. */
    private static final int SLOT = 2;

    private static final int COUNT_SHIFT = Byte.SIZE;

    private final long[] slots;
    private final int mask;

    /** Work requests that the device has retired; the poller's to write. */
    private final AtomicInteger retired = new AtomicInteger();

    /** @param blocks a power of two; or none, where there is no send queue, though completions may name it nevertheless */
    PostedRequests(int blocks) {
        this.mask = Math.max(blocks - 1, 0);
        this.slots = new long[SLOT * (mask + 1)];
    }

    /** @param count work requests before it */
    void note(int block, long id, int count, int completion) {
        int slot = SLOT * (block & mask);
        slots[slot] = id;
        slots[slot + 1] = (long) count << COUNT_SHIFT | completion;
    }

    /** How many work requests were retired, as far as completions say, which may say nonsense. */
    int retired() {
        return retired.getAcquire();
    }

    /** So many were. */
    void retired(int count) {
        retired.setRelease(count);
    }

    /** A completion says that the work request in this block is done, and all before it. Returns its identifier. */
    long retire(int block) {
        int slot = SLOT * (block & mask);
        int count = (int) (slots[slot + 1] >> COUNT_SHIFT) + 1;
        // The device retires in order: what an entry says that goes back was said by nobody.
        if (count - retired.getPlain() > 0) {
            retired.setRelease(count);
        }
        return slots[slot];
    }

    /** The completion opcode of what was posted in that block. */
    int operation(int block) {
        return (byte) slots[SLOT * (block & mask) + 1];
    }
}
