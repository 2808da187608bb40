package dev.doorbell.soft.hca;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Some bytes of native memory for those who need no more for all their life, and of whom a queue pair has several: an arena for each
 * would take ten times as much. They are cut from blocks that go when nobody has a piece of them any more.
 *
 * <p>Thread rules: any thread.
 */
final class Scratch {
    /** So that two threads that each write to their own do not slow each other down. */
    static final int BYTES = 64;

    private static final int BLOCK = 64 * BYTES;

    private static MemorySegment block = MemorySegment.NULL;
    private static long used;

    private Scratch() {}

    /**
     * Zeros on a cache line of their own.
     *
     * @param bytes {@link #BYTES} at most
     */
    static synchronized MemorySegment take(long bytes) {
        if (used == block.byteSize()) {
            block = Arena.ofAuto().allocate(BLOCK, BYTES);
            used = 0;
        }
        MemorySegment piece = block.asSlice(used, bytes);
        used += BYTES;
        return piece;
    }
}
