package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of CREATE_SRQ.
 *
 * <pre>
 *   struct ib_uverbs_create_srq
 *      0  u64    response     left to the carrier
 *      8  u64    user_handle  cookie that comes back in events
 *     16  u32    pd_handle    protection domain
 *     20  u32    max_wr       receive work requests wanted
 *     24  u32    max_sge      scatter/gather elements wanted
 *     28  u32    srq_limit    limit below which an event is raised; 0 for none
 *     32  bytes in all
 * </pre>
 */
public final class CreateSrq {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    private static final int RESPONSE = 0;
    private static final int USER_HANDLE = 8;
    private static final int PD_HANDLE = 16;
    private static final int MAX_WR = 20;
    private static final int MAX_SGE = 24;
    private static final int SRQ_LIMIT = 28;

    private CreateSrq() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Cookie that comes back in events. */
    public static long userHandle(MemorySegment segment, long at) {
        return Host.getLong(segment, at + USER_HANDLE);
    }

    /** Stores {@link #userHandle}. */
    public static void setUserHandle(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + USER_HANDLE, value);
    }

    /** Protection domain. */
    public static int pdHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PD_HANDLE);
    }

    /** Stores {@link #pdHandle}. */
    public static void setPdHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PD_HANDLE, value);
    }

    /** Receive work requests wanted. */
    public static int maxWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_WR);
    }

    /** Stores {@link #maxWr}. */
    public static void setMaxWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_WR, value);
    }

    /** Scatter/gather elements wanted. */
    public static int maxSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SGE);
    }

    /** Stores {@link #maxSge}. */
    public static void setMaxSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SGE, value);
    }

    /** Limit below which an event is raised; 0 for none. */
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
        return Layout.of("ib_uverbs_create_srq", SIZE)
                .u64("response", RESPONSE)
                .u64("user_handle", USER_HANDLE)
                .u32("pd_handle", PD_HANDLE)
                .u32("max_wr", MAX_WR)
                .u32("max_sge", MAX_SGE)
                .u32("srq_limit", SRQ_LIMIT);
    }
}
