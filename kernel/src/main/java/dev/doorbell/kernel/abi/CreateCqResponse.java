package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_CQ.
 *
 * <pre>
 *   struct ib_uverbs_create_cq_resp
 *      0  u32    cq_handle  the new completion queue
 *      4  u32    cqe        entries granted
 *      8  bytes in all
 * </pre>
 */
public final class CreateCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int CQ_HANDLE = 0;
    private static final int CQE = 4;

    private CreateCqResponse() {}

    /** The new completion queue. */
    public static int cqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQ_HANDLE);
    }

    /** Stores {@link #cqHandle}. */
    public static void setCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQ_HANDLE, value);
    }

    /** Entries granted. */
    public static int cqe(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQE);
    }

    /** Stores {@link #cqe}. */
    public static void setCqe(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_cq_resp", SIZE)
                .u32("cq_handle", CQ_HANDLE)
                .u32("cqe", CQE);
    }
}
