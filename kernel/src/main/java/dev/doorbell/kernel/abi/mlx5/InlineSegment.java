package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * Head of data that lie in the WQE; the bytes follow, and what is left of the last 16-byte unit is free.
 *
 * <pre>
 *   struct mlx5_wqe_inl_data_seg
 *      0  be32   byte_count  length 30..0, and bit 31
 *      4  bytes in all
 * </pre>
 */
public final class InlineSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    /** Marks the data as inline, in {@link #lengthAndMark}. */
    public static final int MARK = 0x8000_0000;

    private static final int LENGTH_AND_MARK = 0;

    private InlineSegment() {}

    /** Length 30..0, and bit 31. */
    public static int lengthAndMark(MemorySegment segment, long at) {
        return Be.getInt(segment, at + LENGTH_AND_MARK);
    }

    /** Stores {@link #lengthAndMark}. */
    public static void setLengthAndMark(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + LENGTH_AND_MARK, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_inl_data_seg", SIZE).be32("byte_count", LENGTH_AND_MARK);
    }
}
