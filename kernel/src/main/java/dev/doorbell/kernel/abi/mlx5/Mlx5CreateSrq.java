package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of CREATE_SRQ.
 *
 * <pre>
 *   struct mlx5_ib_create_srq
 *      0  u64    buf_addr   address of the WQEs
 *      8  u64    db_addr    address of the doorbell record, a multiple of 8
 *     16  u32    flags      0
 *     20  4 B    reserved0
 *     24  u32    uidx       index that completions carry, 24 bits
 *     28  4 B    reserved1
 *     32  bytes in all
 * </pre>
 */
public final class Mlx5CreateSrq {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    private static final int BUFFER = 0;
    private static final int RECORD = 8;
    private static final int FLAGS = 16;
    private static final int USER_INDEX = 24;

    private Mlx5CreateSrq() {}

    /** Address of the WQEs. */
    public static long buffer(MemorySegment segment, long at) {
        return Host.getLong(segment, at + BUFFER);
    }

    /** Stores {@link #buffer}. */
    public static void setBuffer(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + BUFFER, value);
    }

    /** Address of the doorbell record, a multiple of 8. */
    public static long record(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RECORD);
    }

    /** Stores {@link #record}. */
    public static void setRecord(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RECORD, value);
    }

    /** 0. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
    }

    /** Index that completions carry, 24 bits. */
    public static int userIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + USER_INDEX);
    }

    /** Stores {@link #userIndex}. */
    public static void setUserIndex(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + USER_INDEX, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_srq", SIZE)
                .u64("buf_addr", BUFFER)
                .u64("db_addr", RECORD)
                .u32("flags", FLAGS)
                .reserved("reserved0", 20, 4)
                .u32("uidx", USER_INDEX)
                .reserved("reserved1", 28, 4);
    }
}
