package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * One scatter/gather element of a send or receive WQE. A receive WQE with fewer elements than fit ends with one of length 0 and {@link #NO_KEY}.
 *
 * <pre>
 *   struct mlx5_wqe_data_seg
 *      0  be32   byte_count  length; 2^31 is written as it is
 *      4  be32   lkey        key of the local memory
 *      8  be64   addr        address
 *     16  bytes in all
 * </pre>
 */
public final class DataSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    /** The key of an element that ends the list. */
    public static final int NO_KEY = 0x100;

    private static final int LENGTH = 0;
    private static final int KEY = 4;
    private static final int ADDR = 8;

    private DataSegment() {}

    /** Its first eight bytes, as a big-endian number; the others are the address. */
    public static long head(int length, int key) {
        return (long) length << Integer.SIZE | Integer.toUnsignedLong(key);
    }

    /** Length; 2^31 is written as it is. */
    public static int length(MemorySegment segment, long at) {
        return Be.getInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + LENGTH, value);
    }

    /** Key of the local memory. */
    public static int key(MemorySegment segment, long at) {
        return Be.getInt(segment, at + KEY);
    }

    /** Stores {@link #key}. */
    public static void setKey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + KEY, value);
    }

    /** Address. */
    public static long addr(MemorySegment segment, long at) {
        return Be.getLong(segment, at + ADDR);
    }

    /** Stores {@link #addr}. */
    public static void setAddr(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + ADDR, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_data_seg", SIZE)
                .be32("byte_count", LENGTH)
                .be32("lkey", KEY)
                .be64("addr", ADDR);
    }
}
