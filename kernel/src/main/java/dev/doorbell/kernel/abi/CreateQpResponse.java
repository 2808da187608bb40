package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_QP and OPEN_QP.
 *
 * <pre>
 *   struct ib_uverbs_create_qp_resp
 *      0  u32    qp_handle        the new queue pair, for commands
 *      4  u32    qpn              its number, for peers
 *      8  u32    max_send_wr      send work requests granted
 *     12  u32    max_recv_wr      receive work requests granted
 *     16  u32    max_send_sge     scatter/gather elements of a send granted
 *     20  u32    max_recv_sge     scatter/gather elements of a receive granted
 *     24  u32    max_inline_data  bytes of inline data granted
 *     28  u32    reserved
 *     32  bytes in all
 * </pre>
 */
public final class CreateQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    private static final int QP_HANDLE = 0;
    private static final int QPN = 4;
    private static final int MAX_SEND_WR = 8;
    private static final int MAX_RECV_WR = 12;
    private static final int MAX_SEND_SGE = 16;
    private static final int MAX_RECV_SGE = 20;
    private static final int MAX_INLINE_DATA = 24;

    private CreateQpResponse() {}

    /** The new queue pair, for commands. */
    public static int qpHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_HANDLE);
    }

    /** Stores {@link #qpHandle}. */
    public static void setQpHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_HANDLE, value);
    }

    /** Its number, for peers. */
    public static int qpn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QPN);
    }

    /** Stores {@link #qpn}. */
    public static void setQpn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QPN, value);
    }

    /** Send work requests granted. */
    public static int maxSendWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_WR);
    }

    /** Stores {@link #maxSendWr}. */
    public static void setMaxSendWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_WR, value);
    }

    /** Receive work requests granted. */
    public static int maxRecvWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_WR);
    }

    /** Stores {@link #maxRecvWr}. */
    public static void setMaxRecvWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_WR, value);
    }

    /** Scatter/gather elements of a send granted. */
    public static int maxSendSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_SGE);
    }

    /** Stores {@link #maxSendSge}. */
    public static void setMaxSendSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_SGE, value);
    }

    /** Scatter/gather elements of a receive granted. */
    public static int maxRecvSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_SGE);
    }

    /** Stores {@link #maxRecvSge}. */
    public static void setMaxRecvSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_SGE, value);
    }

    /** Bytes of inline data granted. */
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
        return Layout.of("ib_uverbs_create_qp_resp", SIZE)
                .u32("qp_handle", QP_HANDLE)
                .u32("qpn", QPN)
                .u32("max_send_wr", MAX_SEND_WR)
                .u32("max_recv_wr", MAX_RECV_WR)
                .u32("max_send_sge", MAX_SEND_SGE)
                .u32("max_recv_sge", MAX_RECV_SGE)
                .u32("max_inline_data", MAX_INLINE_DATA)
                .reserved("reserved", 28, 4);
    }
}
