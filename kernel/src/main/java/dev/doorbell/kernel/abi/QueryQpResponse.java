package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY_QP.
 *
 * <pre>
 *   struct ib_uverbs_query_qp_resp
 *      0  32 B   dest                {@link QpDestination}, to the peer
 *     32  32 B   alt_dest            {@link QpDestination}, of the alternate path
 *     64  u32    max_send_wr         send work requests
 *     68  u32    max_recv_wr         receive work requests
 *     72  u32    max_send_sge        scatter/gather elements of a send
 *     76  u32    max_recv_sge        scatter/gather elements of a receive
 *     80  u32    max_inline_data     bytes of inline data
 *     84  u32    qkey                Q_Key
 *     88  u32    rq_psn              next sequence number that is received
 *     92  u32    sq_psn              next sequence number that is sent
 *     96  u32    dest_qp_num         number of the peer's queue pair
 *    100  u32    qp_access_flags     what peers may do
 *    104  u16    pkey_index          slot of the partition key table
 *    106  u16    alt_pkey_index      the same for the alternate path
 *    108  u8     qp_state            state, see {@code QueuePairState}
 *    109  u8     cur_qp_state        state, again
 *    110  u8     path_mtu            code of the path MTU
 *    111  u8     path_mig_state      path migration state
 *    112  u8     sq_draining         1: the send queue is draining
 *    113  u8     max_rd_atomic       READs and atomics outstanding
 *    114  u8     max_dest_rd_atomic  READs and atomics served at a time
 *    115  u8     min_rnr_timer       code of the RNR timer
 *    116  u8     port_num            port
 *    117  u8     timeout             code of the acknowledgement timeout
 *    118  u8     retry_cnt           retries
 *    119  u8     rnr_retry           retries after receiver not ready
 *    120  u8     alt_port_num        port of the alternate path
 *    121  u8     alt_timeout         timeout of the alternate path
 *    122  u8     sq_sig_all          1: every send completes visibly
 *    123  u8[5]  reserved
 *    128  bytes in all
 * </pre>
 */
public final class QueryQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 128;

    /** Where the {@link QpDestination} to the peer lies in this struct. */
    public static final int DEST = 0;

    /** Where the {@link QpDestination} of the alternate path lies in this struct. */
    public static final int ALT_DEST = 32;

    private static final int MAX_SEND_WR = 64;
    private static final int MAX_RECV_WR = 68;
    private static final int MAX_SEND_SGE = 72;
    private static final int MAX_RECV_SGE = 76;
    private static final int MAX_INLINE_DATA = 80;
    private static final int QKEY = 84;
    private static final int RQ_PSN = 88;
    private static final int SQ_PSN = 92;
    private static final int DEST_QP_NUM = 96;
    private static final int QP_ACCESS_FLAGS = 100;
    private static final int PKEY_INDEX = 104;
    private static final int ALT_PKEY_INDEX = 106;
    private static final int QP_STATE = 108;
    private static final int CUR_QP_STATE = 109;
    private static final int PATH_MTU = 110;
    private static final int PATH_MIG_STATE = 111;
    private static final int SQ_DRAINING = 112;
    private static final int MAX_RD_ATOMIC = 113;
    private static final int MAX_DEST_RD_ATOMIC = 114;
    private static final int MIN_RNR_TIMER = 115;
    private static final int PORT_NUM = 116;
    private static final int TIMEOUT = 117;
    private static final int RETRY_CNT = 118;
    private static final int RNR_RETRY = 119;
    private static final int ALT_PORT_NUM = 120;
    private static final int ALT_TIMEOUT = 121;
    private static final int SQ_SIG_ALL = 122;

    private QueryQpResponse() {}

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

    /** Q_Key. */
    public static int qkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QKEY, value);
    }

    /** Next sequence number that is received. */
    public static int rqPsn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RQ_PSN);
    }

    /** Stores {@link #rqPsn}. */
    public static void setRqPsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RQ_PSN, value);
    }

    /** Next sequence number that is sent. */
    public static int sqPsn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SQ_PSN);
    }

    /** Stores {@link #sqPsn}. */
    public static void setSqPsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SQ_PSN, value);
    }

    /** Number of the peer's queue pair. */
    public static int destQpNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DEST_QP_NUM);
    }

    /** Stores {@link #destQpNum}. */
    public static void setDestQpNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DEST_QP_NUM, value);
    }

    /** What peers may do. */
    public static int qpAccessFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_ACCESS_FLAGS);
    }

    /** Stores {@link #qpAccessFlags}. */
    public static void setQpAccessFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_ACCESS_FLAGS, value);
    }

    /** Slot of the partition key table. */
    public static int pkeyIndex(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PKEY_INDEX);
    }

    /** Stores {@link #pkeyIndex}. */
    public static void setPkeyIndex(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PKEY_INDEX, value);
    }

    /** The same for the alternate path. */
    public static int altPkeyIndex(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + ALT_PKEY_INDEX);
    }

    /** Stores {@link #altPkeyIndex}. */
    public static void setAltPkeyIndex(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + ALT_PKEY_INDEX, value);
    }

    /** State, see {@code QueuePairState}. */
    public static int qpState(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + QP_STATE);
    }

    /** Stores {@link #qpState}. */
    public static void setQpState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + QP_STATE, value);
    }

    /** State, again. */
    public static int curQpState(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + CUR_QP_STATE);
    }

    /** Stores {@link #curQpState}. */
    public static void setCurQpState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + CUR_QP_STATE, value);
    }

    /** Code of the path MTU. */
    public static int pathMtu(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PATH_MTU);
    }

    /** Stores {@link #pathMtu}. */
    public static void setPathMtu(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PATH_MTU, value);
    }

    /** Path migration state. */
    public static int pathMigState(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PATH_MIG_STATE);
    }

    /** Stores {@link #pathMigState}. */
    public static void setPathMigState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PATH_MIG_STATE, value);
    }

    /** 1: the send queue is draining. */
    public static int sqDraining(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SQ_DRAINING);
    }

    /** Stores {@link #sqDraining}. */
    public static void setSqDraining(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SQ_DRAINING, value);
    }

    /** READs and atomics outstanding. */
    public static int maxRdAtomic(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MAX_RD_ATOMIC);
    }

    /** Stores {@link #maxRdAtomic}. */
    public static void setMaxRdAtomic(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MAX_RD_ATOMIC, value);
    }

    /** READs and atomics served at a time. */
    public static int maxDestRdAtomic(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MAX_DEST_RD_ATOMIC);
    }

    /** Stores {@link #maxDestRdAtomic}. */
    public static void setMaxDestRdAtomic(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MAX_DEST_RD_ATOMIC, value);
    }

    /** Code of the RNR timer. */
    public static int minRnrTimer(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MIN_RNR_TIMER);
    }

    /** Stores {@link #minRnrTimer}. */
    public static void setMinRnrTimer(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MIN_RNR_TIMER, value);
    }

    /** Port. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** Code of the acknowledgement timeout. */
    public static int timeout(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + TIMEOUT);
    }

    /** Stores {@link #timeout}. */
    public static void setTimeout(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + TIMEOUT, value);
    }

    /** Retries. */
    public static int retryCnt(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RETRY_CNT);
    }

    /** Stores {@link #retryCnt}. */
    public static void setRetryCnt(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RETRY_CNT, value);
    }

    /** Retries after receiver not ready. */
    public static int rnrRetry(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RNR_RETRY);
    }

    /** Stores {@link #rnrRetry}. */
    public static void setRnrRetry(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RNR_RETRY, value);
    }

    /** Port of the alternate path. */
    public static int altPortNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ALT_PORT_NUM);
    }

    /** Stores {@link #altPortNum}. */
    public static void setAltPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ALT_PORT_NUM, value);
    }

    /** Timeout of the alternate path. */
    public static int altTimeout(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ALT_TIMEOUT);
    }

    /** Stores {@link #altTimeout}. */
    public static void setAltTimeout(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ALT_TIMEOUT, value);
    }

    /** 1: every send completes visibly. */
    public static int sqSigAll(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SQ_SIG_ALL);
    }

    /** Stores {@link #sqSigAll}. */
    public static void setSqSigAll(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SQ_SIG_ALL, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_qp_resp", SIZE)
                .struct("dest", DEST, QpDestination.layout())
                .struct("alt_dest", ALT_DEST, QpDestination.layout())
                .u32("max_send_wr", MAX_SEND_WR)
                .u32("max_recv_wr", MAX_RECV_WR)
                .u32("max_send_sge", MAX_SEND_SGE)
                .u32("max_recv_sge", MAX_RECV_SGE)
                .u32("max_inline_data", MAX_INLINE_DATA)
                .u32("qkey", QKEY)
                .u32("rq_psn", RQ_PSN)
                .u32("sq_psn", SQ_PSN)
                .u32("dest_qp_num", DEST_QP_NUM)
                .u32("qp_access_flags", QP_ACCESS_FLAGS)
                .u16("pkey_index", PKEY_INDEX)
                .u16("alt_pkey_index", ALT_PKEY_INDEX)
                .u8("qp_state", QP_STATE)
                .u8("cur_qp_state", CUR_QP_STATE)
                .u8("path_mtu", PATH_MTU)
                .u8("path_mig_state", PATH_MIG_STATE)
                .u8("sq_draining", SQ_DRAINING)
                .u8("max_rd_atomic", MAX_RD_ATOMIC)
                .u8("max_dest_rd_atomic", MAX_DEST_RD_ATOMIC)
                .u8("min_rnr_timer", MIN_RNR_TIMER)
                .u8("port_num", PORT_NUM)
                .u8("timeout", TIMEOUT)
                .u8("retry_cnt", RETRY_CNT)
                .u8("rnr_retry", RNR_RETRY)
                .u8("alt_port_num", ALT_PORT_NUM)
                .u8("alt_timeout", ALT_TIMEOUT)
                .u8("sq_sig_all", SQ_SIG_ALL)
                .reserved("reserved", 123, 5);
    }
}
