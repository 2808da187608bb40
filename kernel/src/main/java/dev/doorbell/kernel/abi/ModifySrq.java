package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of MODIFY_SRQ; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_modify_srq
 *      0  u32    srq_handle  shared receive queue
 *      4  u32    attr_mask   which fields count: 1 {@code max_wr}, 2 {@code srq_limit}
 *      8  u32    max_wr      receive work requests wanted
 *     12  u32    srq_limit   limit below which an event is raised
 *     16  bytes in all
 * </pre>
 */
public final class ModifySrq {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int SRQ_HANDLE = 0;
    private static final int ATTR_MASK = 4;
    private static final int MAX_WR = 8;
    private static final int SRQ_LIMIT = 12;

    private ModifySrq() {}

    /** Shared receive queue. */
    public static int srqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_HANDLE);
    }

    /** Stores {@link #srqHandle}. */
    public static void setSrqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_HANDLE, value);
    }

    /** Which fields count: 1 {@code max_wr}, 2 {@code srq_limit}. */
    public static int attrMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATTR_MASK);
    }

    /** Stores {@link #attrMask}. */
    public static void setAttrMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATTR_MASK, value);
    }

    /** Receive work requests wanted. */
    public static int maxWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_WR);
    }

    /** Stores {@link #maxWr}. */
    public static void setMaxWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_WR, value);
    }

    /** Limit below which an event is raised. */
    public static int srqLimit(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_LIMIT);
    }

    /** Stores {@link #srqLimit}. */
    public static void setSrqLimit(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_LIMIT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_modify_srq", SIZE)
                .u32("srq_handle", SRQ_HANDLE)
                .u32("attr_mask", ATTR_MASK)
                .u32("max_wr", MAX_WR)
                .u32("srq_limit", SRQ_LIMIT);
    }
}
