package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY_SRQ.
 *
 * <pre>
 *   struct ib_uverbs_query_srq_resp
 *      0  u32    max_wr     receive work requests
 *      4  u32    max_sge    scatter/gather elements
 *      8  u32    srq_limit  limit below which an event is raised
 *     12  u32    reserved
 *     16  bytes in all
 * </pre>
 */
public final class QuerySrqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int MAX_WR = 0;
    private static final int MAX_SGE = 4;
    private static final int SRQ_LIMIT = 8;

    private QuerySrqResponse() {}

    /** Receive work requests. */
    public static int maxWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_WR);
    }

    /** Stores {@link #maxWr}. */
    public static void setMaxWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_WR, value);
    }

    /** Scatter/gather elements. */
    public static int maxSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SGE);
    }

    /** Stores {@link #maxSge}. */
    public static void setMaxSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SGE, value);
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
        return Layout.of("ib_uverbs_query_srq_resp", SIZE)
                .u32("max_wr", MAX_WR)
                .u32("max_sge", MAX_SGE)
                .u32("srq_limit", SRQ_LIMIT)
                .reserved("reserved", 12, 4);
    }
}
