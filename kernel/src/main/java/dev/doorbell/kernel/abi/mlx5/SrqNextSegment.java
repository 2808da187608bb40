package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The first 16 bytes of a WQE in a shared receive queue: the link to the next free one. {@link DataSegment}s follow.
 *
 * <pre>
 *   struct mlx5_wqe_srq_next_seg
 *      0  2 B    rsvd0
 *      2  be16   next_wqe_index  index of the WQE behind
 *      4  u8     signature       0
 *      5  11 B   rsvd1
 *     16  bytes in all
 * </pre>
 */
public final class SrqNextSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int NEXT = 2;
    private static final int SIGNATURE = 4;

    private SrqNextSegment() {}

    /** Index of the WQE behind. */
    public static int next(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + NEXT);
    }

    /** Stores {@link #next}. */
    public static void setNext(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + NEXT, value);
    }

    /** 0. */
    public static int signature(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SIGNATURE);
    }

    /** Stores {@link #signature}. */
    public static void setSignature(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SIGNATURE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_srq_next_seg", SIZE)
                .reserved("rsvd0", 0, 2)
                .be16("next_wqe_index", NEXT)
                .u8("signature", SIGNATURE)
                .reserved("rsvd1", 5, 11);
    }
}
