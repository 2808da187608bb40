package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * Queue sizes in the ioctl method QP_CREATE.
 *
 * <pre>
 *   struct ib_uverbs_qp_cap
 *      0  u32    max_send_wr      send work requests
 *      4  u32    max_recv_wr      receive work requests
 *      8  u32    max_send_sge     scatter/gather elements of a send
 *     12  u32    max_recv_sge     scatter/gather elements of a receive
 *     16  u32    max_inline_data  bytes of inline data
 *     20  bytes in all
 * </pre>
 */
public final class QpCap {
    /** Bytes of the struct. */
    public static final int SIZE = 20;

    private static final int MAX_SEND_WR = 0;
    private static final int MAX_RECV_WR = 4;
    private static final int MAX_SEND_SGE = 8;
    private static final int MAX_RECV_SGE = 12;
    private static final int MAX_INLINE_DATA = 16;

    private QpCap() {}

    /** Send work requests. */
    public static int maxSendWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_WR);
    }

    /** Stores {@link #maxSendWr}. */
    public static void setMaxSendWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_WR, value);
    }

    /** Receive work requests. */
    public static int maxRecvWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_WR);
    }

    /** Stores {@link #maxRecvWr}. */
    public static void setMaxRecvWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_WR, value);
    }

    /** Scatter/gather elements of a send. */
    public static int maxSendSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_SGE);
    }

    /** Stores {@link #maxSendSge}. */
    public static void setMaxSendSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_SGE, value);
    }

    /** Scatter/gather elements of a receive. */
    public static int maxRecvSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_SGE);
    }

    /** Stores {@link #maxRecvSge}. */
    public static void setMaxRecvSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_SGE, value);
    }

    /** Bytes of inline data. */
    public static int maxInlineData(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_INLINE_DATA);
    }

    /** Stores {@link #maxInlineData}. */
    public static void setMaxInlineData(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_INLINE_DATA, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_qp_cap", SIZE)
                .u32("max_send_wr", MAX_SEND_WR)
                .u32("max_recv_wr", MAX_RECV_WR)
                .u32("max_send_sge", MAX_SEND_SGE)
                .u32("max_recv_sge", MAX_RECV_SGE)
                .u32("max_inline_data", MAX_INLINE_DATA);
    }
}
