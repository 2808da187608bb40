package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The operation UMR changes a memory key: here, what a window is bound to, or that a key is invalid. A {@link MkeySegment} follows, then a block with
 * one {@link DataSegment} as translation where the window opens memory. The WQE's immediate names the key.
 *
 * <pre>
 *   struct mlx5_wqe_umr_ctrl_seg
 *      0  u8     flags               see the constants
 *      1  3 B    rsvd0
 *      4  be16   klm_octowords       16-byte units of the translation
 *      6  be16   translation_offset  0
 *      8  be64   mkey_mask           fields of the key that change
 *     16  32 B   rsvd1
 *     48  bytes in all
 * </pre>
 */
public final class UmrSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    private static final int FLAGS = 0;
    private static final int TRANSLATION_UNITS = 4;
    private static final int TRANSLATION_OFFSET = 6;
    private static final int MASK = 8;

    private UmrSegment() {}

    /** See the constants. */
    public static int flags(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + FLAGS, value);
    }

    /** 16-byte units of the translation. */
    public static int translationUnits(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + TRANSLATION_UNITS);
    }

    /** Stores {@link #translationUnits}. */
    public static void setTranslationUnits(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + TRANSLATION_UNITS, value);
    }

    /** 0. */
    public static int translationOffset(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + TRANSLATION_OFFSET);
    }

    /** Stores {@link #translationOffset}. */
    public static void setTranslationOffset(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + TRANSLATION_OFFSET, value);
    }

    /** Fields of the key that change. */
    public static long mask(MemorySegment segment, long at) {
        return Be.getLong(segment, at + MASK);
    }

    /** Stores {@link #mask}. */
    public static void setMask(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + MASK, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_umr_ctrl_seg", SIZE)
                .u8("flags", FLAGS)
                .reserved("rsvd0", 1, 3)
                .be16("klm_octowords", TRANSLATION_UNITS)
                .be16("translation_offset", TRANSLATION_OFFSET)
                .be64("mkey_mask", MASK)
                .reserved("rsvd1", 16, 32);
    }
}
