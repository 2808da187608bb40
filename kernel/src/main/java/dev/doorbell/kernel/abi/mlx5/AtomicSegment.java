package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The operands of an atomic operation.
 *
 * <pre>
 *   struct mlx5_wqe_atomic_seg
 *      0  be64   swap_add  value to store, or to add
 *      8  be64   compare   value to compare with; not written for an addition
 *     16  bytes in all
 * </pre>
 */
public final class AtomicSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int SWAP_OR_ADD = 0;
    private static final int COMPARE = 8;

    private AtomicSegment() {}

    /** Value to store, or to add. */
    public static long swapOrAdd(MemorySegment segment, long at) {
        return Be.getLong(segment, at + SWAP_OR_ADD);
    }

    /** Stores {@link #swapOrAdd}. */
    public static void setSwapOrAdd(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + SWAP_OR_ADD, value);
    }

    /** Value to compare with; not written for an addition. */
    public static long compare(MemorySegment segment, long at) {
        return Be.getLong(segment, at + COMPARE);
    }

    /** Stores {@link #compare}. */
    public static void setCompare(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + COMPARE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_atomic_seg", SIZE)
                .be64("swap_add", SWAP_OR_ADD)
                .be64("compare", COMPARE);
    }
}
