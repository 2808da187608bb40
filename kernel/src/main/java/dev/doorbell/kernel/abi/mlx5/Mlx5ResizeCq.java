package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of RESIZE_CQ.
 *
 * <pre>
 *   struct mlx5_ib_resize_cq
 *      0  u64    buf_addr   address of the new entries
 *      8  u16    cqe_size   64 or 128
 *     10  u16    reserved0
 *     12  u32    reserved1
 *     16  bytes in all
 * </pre>
 */
public final class Mlx5ResizeCq {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int BUFFER = 0;
    private static final int ENTRY_SIZE = 8;

    private Mlx5ResizeCq() {}

    /** Address of the new entries. */
    public static long buffer(MemorySegment segment, long at) {
        return Host.getLong(segment, at + BUFFER);
    }

    /** Stores {@link #buffer}. */
    public static void setBuffer(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + BUFFER, value);
    }

    /** 64 or 128. */
    public static int entrySize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + ENTRY_SIZE);
    }

    /** Stores {@link #entrySize}. */
    public static void setEntrySize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + ENTRY_SIZE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_resize_cq", SIZE)
                .u64("buf_addr", BUFFER)
                .u16("cqe_size", ENTRY_SIZE)
                .reserved("reserved0", 10, 2)
                .reserved("reserved1", 12, 4);
    }
}
