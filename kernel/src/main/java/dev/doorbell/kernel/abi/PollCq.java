package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of POLL_CQ. Kernels refuse it for queues that are mapped.
 *
 * <pre>
 *   struct ib_uverbs_poll_cq
 *      0  u64    response   left to the carrier
 *      8  u32    cq_handle  completion queue
 *     12  u32    ne         most completions to take
 *     16  bytes in all
 * </pre>
 */
public final class PollCq {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int CQ_HANDLE = 8;
    private static final int NE = 12;

    private PollCq() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Completion queue. */
    public static int cqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQ_HANDLE);
    }

    /** Stores {@link #cqHandle}. */
    public static void setCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQ_HANDLE, value);
    }

    /** Most completions to take. */
    public static int ne(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NE);
    }

    /** Stores {@link #ne}. */
    public static void setNe(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_poll_cq", SIZE)
                .u64("response", RESPONSE)
                .u32("cq_handle", CQ_HANDLE)
                .u32("ne", NE);
    }
}
