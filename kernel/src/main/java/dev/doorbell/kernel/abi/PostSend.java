package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of POST_SEND. With no work requests in it, it is the doorbell of a mapped send queue.
 *
 * <pre>
 *   struct ib_uverbs_post_send
 *      0  u64    response   address of the answer
 *      8  u32    qp_handle  queue pair
 *     12  u32    wr_count   work requests that follow; 0 for a doorbell
 *     16  u32    sge_count  scatter/gather elements that follow; 0 for a doorbell
 *     20  u32    wqe_size   bytes of a work request, 56 at least
 *     24  bytes in all
 * </pre>
 */
public final class PostSend {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    private static final int RESPONSE = 0;
    private static final int QP_HANDLE = 8;
    private static final int WR_COUNT = 12;
    private static final int SGE_COUNT = 16;
    private static final int WQE_SIZE = 20;

    private PostSend() {}

    /** Address of the answer. */
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

    /** Work requests that follow; 0 for a doorbell. */
    public static int wrCount(MemorySegment segment, long at) {
        return Host.getInt(segment, at + WR_COUNT);
    }

    /** Stores {@link #wrCount}. */
    public static void setWrCount(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + WR_COUNT, value);
    }

    /** Scatter/gather elements that follow; 0 for a doorbell. */
    public static int sgeCount(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SGE_COUNT);
    }

    /** Stores {@link #sgeCount}. */
    public static void setSgeCount(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SGE_COUNT, value);
    }

    /** Bytes of a work request, 56 at least. */
    public static int wqeSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + WQE_SIZE);
    }

    /** Stores {@link #wqeSize}. */
    public static void setWqeSize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + WQE_SIZE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_post_send", SIZE)
                .u64("response", RESPONSE)
                .u32("qp_handle", QP_HANDLE)
                .u32("wr_count", WR_COUNT)
                .u32("sge_count", SGE_COUNT)
                .u32("wqe_size", WQE_SIZE);
    }
}
