package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of EX_CREATE_CQ.
 *
 * <pre>
 *   struct ib_uverbs_ex_create_cq
 *      0  u64    user_handle   cookie that comes back in events
 *      8  u32    cqe           entries wanted
 *     12  u32    comp_vector   completion vector, from 0
 *     16  s32    comp_channel  descriptor of the completion channel, -1 for none
 *     20  u32    comp_mask     0
 *     24  u32    flags         1 timestamps, 2 ignore overrun
 *     28  u32    reserved      0
 *     32  bytes in all
 * </pre>
 */
public final class ExCreateCq {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    /** In {@link #flags}: completions say when they were made. */
    public static final int TIMESTAMPS = 1;
    /** In {@link #flags}: a completion that does not fit is the program's fault, and no error. */
    public static final int IGNORE_OVERRUN = 2;

    private static final int USER_HANDLE = 0;
    private static final int CQE = 8;
    private static final int COMP_VECTOR = 12;
    private static final int COMP_CHANNEL = 16;
    private static final int COMP_MASK = 20;
    private static final int FLAGS = 24;

    private ExCreateCq() {}

    /** Cookie that comes back in events. */
    public static long userHandle(MemorySegment segment, long at) {
        return Host.getLong(segment, at + USER_HANDLE);
    }

    /** Stores {@link #userHandle}. */
    public static void setUserHandle(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + USER_HANDLE, value);
    }

    /** Entries wanted. */
    public static int cqe(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQE);
    }

    /** Stores {@link #cqe}. */
    public static void setCqe(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQE, value);
    }

    /** Completion vector, from 0. */
    public static int compVector(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_VECTOR);
    }

    /** Stores {@link #compVector}. */
    public static void setCompVector(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_VECTOR, value);
    }

    /** Descriptor of the completion channel, -1 for none. */
    public static int compChannel(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_CHANNEL);
    }

    /** Stores {@link #compChannel}. */
    public static void setCompChannel(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_CHANNEL, value);
    }

    /** 0. */
    public static int compMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_MASK);
    }

    /** Stores {@link #compMask}. */
    public static void setCompMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_MASK, value);
    }

    /** 1 timestamps, 2 ignore overrun. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_create_cq", SIZE)
                .u64("user_handle", USER_HANDLE)
                .u32("cqe", CQE)
                .u32("comp_vector", COMP_VECTOR)
                .s32("comp_channel", COMP_CHANNEL)
                .u32("comp_mask", COMP_MASK)
                .u32("flags", FLAGS)
                .reserved("reserved", 28, 4);
    }
}
