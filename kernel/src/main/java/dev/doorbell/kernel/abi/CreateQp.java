package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of CREATE_QP.
 *
 * <pre>
 *   struct ib_uverbs_create_qp
 *      0  u64    response         left to the carrier
 *      8  u64    user_handle      cookie that comes back in events
 *     16  u32    pd_handle        protection domain
 *     20  u32    send_cq_handle   completion queue of the send queue
 *     24  u32    recv_cq_handle   completion queue of the receive queue
 *     28  u32    srq_handle       shared receive queue, if {@code is_srq} says so
 *     32  u32    max_send_wr      send work requests wanted
 *     36  u32    max_recv_wr      receive work requests wanted
 *     40  u32    max_send_sge     scatter/gather elements of a send wanted
 *     44  u32    max_recv_sge     scatter/gather elements of a receive wanted
 *     48  u32    max_inline_data  bytes of inline data wanted
 *     52  u8     sq_sig_all       1: every send completes visibly
 *     53  u8     qp_type          see {@code QueuePairType}
 *     54  u8     is_srq           1: receives come from a shared receive queue
 *     55  u8     reserved         0
 *     56  bytes in all
 * </pre>
 */
public final class CreateQp {
    /** Bytes of the struct. */
    public static final int SIZE = 56;

    private static final int RESPONSE = 0;
    private static final int USER_HANDLE = 8;
    private static final int PD_HANDLE = 16;
    private static final int SEND_CQ_HANDLE = 20;
    private static final int RECV_CQ_HANDLE = 24;
    private static final int SRQ_HANDLE = 28;
    private static final int MAX_SEND_WR = 32;
    private static final int MAX_RECV_WR = 36;
    private static final int MAX_SEND_SGE = 40;
    private static final int MAX_RECV_SGE = 44;
    private static final int MAX_INLINE_DATA = 48;
    private static final int SQ_SIG_ALL = 52;
    private static final int QP_TYPE = 53;
    private static final int IS_SRQ = 54;

    private CreateQp() {}

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

    /** Completion queue of the send queue. */
    public static int sendCqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEND_CQ_HANDLE);
    }

    /** Stores {@link #sendCqHandle}. */
    public static void setSendCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEND_CQ_HANDLE, value);
    }

    /** Completion queue of the receive queue. */
    public static int recvCqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECV_CQ_HANDLE);
    }

    /** Stores {@link #recvCqHandle}. */
    public static void setRecvCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RECV_CQ_HANDLE, value);
    }

    /** Shared receive queue, if {@code is_srq} says so. */
    public static int srqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_HANDLE);
    }

    /** Stores {@link #srqHandle}. */
    public static void setSrqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_HANDLE, value);
    }

    /** Send work requests wanted. */
    public static int maxSendWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_WR);
    }

    /** Stores {@link #maxSendWr}. */
    public static void setMaxSendWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_WR, value);
    }

    /** Receive work requests wanted. */
    public static int maxRecvWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_WR);
    }

    /** Stores {@link #maxRecvWr}. */
    public static void setMaxRecvWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_WR, value);
    }

    /** Scatter/gather elements of a send wanted. */
    public static int maxSendSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_SGE);
    }

    /** Stores {@link #maxSendSge}. */
    public static void setMaxSendSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_SGE, value);
    }

    /** Scatter/gather elements of a receive wanted. */
    public static int maxRecvSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECV_SGE);
    }

    /** Stores {@link #maxRecvSge}. */
    public static void setMaxRecvSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECV_SGE, value);
    }

    /** Bytes of inline data wanted. */
    public static int maxInlineData(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_INLINE_DATA);
    }

    /** Stores {@link #maxInlineData}. */
    public static void setMaxInlineData(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_INLINE_DATA, value);
    }

    /** 1: every send completes visibly. */
    public static int sqSigAll(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SQ_SIG_ALL);
    }

    /** Stores {@link #sqSigAll}. */
    public static void setSqSigAll(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SQ_SIG_ALL, value);
    }

    /** See {@code QueuePairType}. */
    public static int qpType(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + QP_TYPE);
    }

    /** Stores {@link #qpType}. */
    public static void setQpType(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + QP_TYPE, value);
    }

    /** 1: receives come from a shared receive queue. */
    public static int isSrq(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + IS_SRQ);
    }

    /** Stores {@link #isSrq}. */
    public static void setIsSrq(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + IS_SRQ, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_qp", SIZE)
                .u64("response", RESPONSE)
                .u64("user_handle", USER_HANDLE)
                .u32("pd_handle", PD_HANDLE)
                .u32("send_cq_handle", SEND_CQ_HANDLE)
                .u32("recv_cq_handle", RECV_CQ_HANDLE)
                .u32("srq_handle", SRQ_HANDLE)
                .u32("max_send_wr", MAX_SEND_WR)
                .u32("max_recv_wr", MAX_RECV_WR)
                .u32("max_send_sge", MAX_SEND_SGE)
                .u32("max_recv_sge", MAX_RECV_SGE)
                .u32("max_inline_data", MAX_INLINE_DATA)
                .u8("sq_sig_all", SQ_SIG_ALL)
                .u8("qp_type", QP_TYPE)
                .u8("is_srq", IS_SRQ)
                .reserved("reserved", 55, 1);
    }
}
