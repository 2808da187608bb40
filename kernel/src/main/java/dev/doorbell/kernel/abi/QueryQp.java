package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of QUERY_QP.
 *
 * <pre>
 *   struct ib_uverbs_query_qp
 *      0  u64    response   left to the carrier
 *      8  u32    qp_handle  queue pair
 *     12  u32    attr_mask  which fields are wanted, see {@code QueuePairAttribute}
 *     16  bytes in all
 * </pre>
 */
public final class QueryQp {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int QP_HANDLE = 8;
    private static final int ATTR_MASK = 12;

    private QueryQp() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Queue pair. */
    public static int qpHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_HANDLE);
    }

    /** Stores {@link #qpHandle}. */
    public static void setQpHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_HANDLE, value);
    }

    /** Which fields are wanted, see {@code QueuePairAttribute}. */
    public static int attrMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATTR_MASK);
    }

    /** Stores {@link #attrMask}. */
    public static void setAttrMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATTR_MASK, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_qp", SIZE)
                .u64("response", RESPONSE)
                .u32("qp_handle", QP_HANDLE)
                .u32("attr_mask", ATTR_MASK);
    }
}
