package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * Where a WRITE, a READ or an atomic operation goes.
 *
 * <pre>
 *   struct mlx5_wqe_raddr_seg
 *      0  be64   raddr     address at the peer
 *      8  be32   rkey      key of the peer's memory
 *     12  be32   reserved  0
 *     16  bytes in all
 * </pre>
 */
public final class RemoteSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int ADDRESS = 0;
    private static final int KEY = 8;
    private static final int RESERVED = 12;

    private RemoteSegment() {}

    /** Its last eight bytes, as a big-endian number; the first are the address. */
    public static long tail(int key) {
        return (long) key << Integer.SIZE;
    }

    /** Address at the peer. */
    public static long address(MemorySegment segment, long at) {
        return Be.getLong(segment, at + ADDRESS);
    }

    /** Stores {@link #address}. */
    public static void setAddress(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + ADDRESS, value);
    }

    /** Key of the peer's memory. */
    public static int key(MemorySegment segment, long at) {
        return Be.getInt(segment, at + KEY);
    }

    /** Stores {@link #key}. */
    public static void setKey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + KEY, value);
    }

    /** 0. */
    public static int reserved(MemorySegment segment, long at) {
        return Be.getInt(segment, at + RESERVED);
    }

    /** Stores {@link #reserved}. */
    public static void setReserved(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + RESERVED, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_raddr_seg", SIZE)
                .be64("raddr", ADDRESS)
                .be32("rkey", KEY)
                .be32("reserved", RESERVED);
    }
}
