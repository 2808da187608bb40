package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of EX_MODIFY_CQ, which has no answer.
 *
 * <pre>
 *   struct ib_uverbs_ex_modify_cq
 *      0  u32    cq_handle
 *      4  u32    attr_mask       1 moderation
 *      8  u16    attr.cq_count   completions until an event
 *     10  u16    attr.cq_period  microseconds until an event
 *     12  u32    reserved        0
 *     16  bytes in all
 * </pre>
 */
public final class ExModifyCq {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    /** In {@link #attrMask}: the moderation. */
    public static final int MODERATION = 1;

    private static final int CQ_HANDLE = 0;
    private static final int ATTR_MASK = 4;
    private static final int COUNT = 8;
    private static final int PERIOD = 10;

    private ExModifyCq() {}

    /** The completion queue. */
    public static int cqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQ_HANDLE);
    }

    /** Stores {@link #cqHandle}. */
    public static void setCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQ_HANDLE, value);
    }

    /** What is to change. */
    public static int attrMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATTR_MASK);
    }

    /** Stores {@link #attrMask}. */
    public static void setAttrMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATTR_MASK, value);
    }

    /** Completions until an event. */
    public static int count(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + COUNT);
    }

    /** Stores {@link #count}. */
    public static void setCount(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + COUNT, value);
    }

    /** Microseconds until an event. */
    public static int period(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PERIOD);
    }

    /** Stores {@link #period}. */
    public static void setPeriod(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PERIOD, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_modify_cq", SIZE)
                .u32("cq_handle", CQ_HANDLE)
                .u32("attr_mask", ATTR_MASK)
                .u16("attr.cq_count", COUNT)
                .u16("attr.cq_period", PERIOD)
                .reserved("reserved", 12, 4);
    }
}
