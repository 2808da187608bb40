package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of DESTROY_QP.
 *
 * <pre>
 *   struct ib_uverbs_destroy_qp
 *      0  u64    response   left to the carrier
 *      8  u32    qp_handle  queue pair
 *     12  u32    reserved   0
 *     16  bytes in all
 * </pre>
 */
public final class DestroyQp {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int QP_HANDLE = 8;

    private DestroyQp() {}

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

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_destroy_qp", SIZE)
                .u64("response", RESPONSE)
                .u32("qp_handle", QP_HANDLE)
                .reserved("reserved", 12, 4);
    }
}
