package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * What rxe says about a queue that can be mapped. It is the driver's whole answer of CREATE_CQ and RESIZE_CQ.
 *
 * <pre>
 *   struct mminfo
 *      0  u64    offset  key for the mapping; it can be used once
 *      8  u32    size    bytes to map
 *     12  u32    pad
 *     16  bytes in all
 * </pre>
 */
public final class RxeMmapInfo {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int OFFSET = 0;
    private static final int LENGTH = 8;

    private RxeMmapInfo() {}

    /** Key for the mapping; it can be used once. */
    public static long offset(MemorySegment segment, long at) {
        return Host.getLong(segment, at + OFFSET);
    }

    /** Stores {@link #offset}. */
    public static void setOffset(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + OFFSET, value);
    }

    /** Bytes to map. */
    public static int length(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LENGTH, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mminfo", SIZE)
                .u64("offset", OFFSET)
                .u32("size", LENGTH)
                .reserved("pad", 12, 4);
    }
}
