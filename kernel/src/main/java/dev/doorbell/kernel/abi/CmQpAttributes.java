package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of INIT_QP_ATTR.
 *
 * <pre>
 *   struct ib_uverbs_qp_attr
 *      0  u32    qp_attr_mask         which of the attributes count: bits of {@code QueuePairAttribute}
 *      4  u32    qp_state             state, see {@code QueuePairState}
 *      8  u32    cur_qp_state         present state
 *     12  u32    path_mtu             code of the path MTU
 *     16  u32    path_mig_state       path migration state
 *     20  u32    qkey                 Q_Key
 *     24  u32    rq_psn               next sequence number that is received
 *     28  u32    sq_psn               next sequence number that is sent
 *     32  u32    dest_qp_num          number of the peer's queue pair
 *     36  u32    qp_access_flags      what peers may do
 *     40  32 B   ah_attr              {@link AhAttributes}, to the peer
 *     72  32 B   alt_ah_attr          {@link AhAttributes}, of the alternate path
 *    104  u32    max_send_wr          send work requests
 *    108  u32    max_recv_wr          receive work requests
 *    112  u32    max_send_sge         scatter/gather elements of a send
 *    116  u32    max_recv_sge         scatter/gather elements of a receive
 *    120  u32    max_inline_data      bytes of inline data
 *    124  u16    pkey_index           slot of the partition key table
 *    126  u16    alt_pkey_index       the same for the alternate path
 *    128  u8     en_sqd_async_notify  1: an event tells when the send queue is drained
 *    129  u8     sq_draining          1: the send queue is draining
 *    130  u8     max_rd_atomic        READs and atomics outstanding
 *    131  u8     max_dest_rd_atomic   READs and atomics served at a time
 *    132  u8     min_rnr_timer        code of the RNR timer
 *    133  u8     port_num             port
 *    134  u8     timeout              code of the acknowledgement timeout
 *    135  u8     retry_cnt            retries
 *    136  u8     rnr_retry            retries after receiver not ready
 *    137  u8     alt_port_num         port of the alternate path
 *    138  u8     alt_timeout          timeout of the alternate path
 *    139  u8[5]  reserved             0
 *    144  bytes in all
 * </pre>
 */
public final class CmQpAttributes {
    /** Bytes of the struct. */
    public static final int SIZE = 144;

    /** Where the {@link AhAttributes} ah_attr lies in this struct. */
    public static final int AH_ATTR = 40;

    /** Where the {@link AhAttributes} alt_ah_attr lies in this struct. */
    public static final int ALT_AH_ATTR = 72;

    private static final int QP_ATTR_MASK = 0;
    private static final int QP_STATE = 4;
    private static final int CUR_QP_STATE = 8;
    private static final int PATH_MTU = 12;
    private static final int PATH_MIG_STATE = 16;
    private static final int QKEY = 20;
    private static final int RQ_PSN = 24;
    private static final int SQ_PSN = 28;
    private static final int DEST_QP_NUM = 32;
    private static final int QP_ACCESS_FLAGS = 36;
    private static final int MAX_SEND_WR = 104;
    private static final int MAX_RECV_WR = 108;
    private static final int MAX_SEND_SGE = 112;
    private static final int MAX_RECV_SGE = 116;
    private static final int MAX_INLINE_DATA = 120;
    private static final int PKEY_INDEX = 124;
    private static final int ALT_PKEY_INDEX = 126;
    private static final int EN_SQD_ASYNC_NOTIFY = 128;
    private static final int SQ_DRAINING = 129;
    private static final int MAX_RD_ATOMIC = 130;
    private static final int MAX_DEST_RD_ATOMIC = 131;
    private static final int MIN_RNR_TIMER = 132;
    private static final int PORT_NUM = 133;
    private static final int TIMEOUT = 134;
    private static final int RETRY_CNT = 135;
    private static final int RNR_RETRY = 136;
    private static final int ALT_PORT_NUM = 137;
    private static final int ALT_TIMEOUT = 138;

    private CmQpAttributes() {}

    /** Which of the attributes count: bits of {@code QueuePairAttribute}. */
    public static int qpAttrMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_ATTR_MASK);
    }

    /** Stores {@link #qpAttrMask}. */
    public static void setQpAttrMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_ATTR_MASK, value);
    }

    /** State, see {@code QueuePairState}. */
    public static int qpState(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_STATE);
    }

    /** Stores {@link #qpState}. */
    public static void setQpState(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_STATE, value);
    }

    /** Present state. */
    public static int curQpState(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CUR_QP_STATE);
    }

    /** Stores {@link #curQpState}. */
    public static void setCurQpState(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CUR_QP_STATE, value);
    }

    /** Code of the path MTU. */
    public static int pathMtu(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PATH_MTU);
    }

    /** Stores {@link #pathMtu}. */
    public static void setPathMtu(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PATH_MTU, value);
    }

    /** Path migration state. */
    public static int pathMigState(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PATH_MIG_STATE);
    }

    /** Stores {@link #pathMigState}. */
    public static void setPathMigState(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PATH_MIG_STATE, value);
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

    /** 1: an event tells when the send queue is drained. */
    public static int enSqdAsyncNotify(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + EN_SQD_ASYNC_NOTIFY);
    }

    /** Stores {@link #enSqdAsyncNotify}. */
    public static void setEnSqdAsyncNotify(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + EN_SQD_ASYNC_NOTIFY, value);
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

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_qp_attr", SIZE)
                .u32("qp_attr_mask", QP_ATTR_MASK)
                .u32("qp_state", QP_STATE)
                .u32("cur_qp_state", CUR_QP_STATE)
                .u32("path_mtu", PATH_MTU)
                .u32("path_mig_state", PATH_MIG_STATE)
                .u32("qkey", QKEY)
                .u32("rq_psn", RQ_PSN)
                .u32("sq_psn", SQ_PSN)
                .u32("dest_qp_num", DEST_QP_NUM)
                .u32("qp_access_flags", QP_ACCESS_FLAGS)
                .struct("ah_attr", AH_ATTR, AhAttributes.layout())
                .struct("alt_ah_attr", ALT_AH_ATTR, AhAttributes.layout())
                .u32("max_send_wr", MAX_SEND_WR)
                .u32("max_recv_wr", MAX_RECV_WR)
                .u32("max_send_sge", MAX_SEND_SGE)
                .u32("max_recv_sge", MAX_RECV_SGE)
                .u32("max_inline_data", MAX_INLINE_DATA)
                .u16("pkey_index", PKEY_INDEX)
                .u16("alt_pkey_index", ALT_PKEY_INDEX)
                .u8("en_sqd_async_notify", EN_SQD_ASYNC_NOTIFY)
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
                .reserved("reserved", 139, 5);
    }
}
