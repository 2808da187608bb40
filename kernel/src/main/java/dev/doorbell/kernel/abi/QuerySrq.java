package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of QUERY_SRQ.
 *
 * <pre>
 *   struct ib_uverbs_query_srq
 *      0  u64    response    left to the carrier
 *      8  u32    srq_handle  shared receive queue
 *     12  u32    reserved    0
 *     16  bytes in all
 * </pre>
 */
public final class QuerySrq {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int SRQ_HANDLE = 8;

    private QuerySrq() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Shared receive queue. */
    public static int srqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_HANDLE);
    }

    /** Stores {@link #srqHandle}. */
    public static void setSrqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_srq", SIZE)
                .u64("response", RESPONSE)
                .u32("srq_handle", SRQ_HANDLE)
                .reserved("reserved", 12, 4);
    }
}
