package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of MODIFY_QP; it has no answer. Only the fields that the mask names count.
 *
 * <pre>
 *   struct ib_uverbs_modify_qp
 *      0  32 B   dest                 {@link QpDestination}, to the peer
 *     32  32 B   alt_dest             {@link QpDestination}, of the alternate path
 *     64  u32    qp_handle            queue pair
 *     68  u32    attr_mask            which fields count, see {@code QueuePairAttribute}
 *     72  u32    qkey                 Q_Key
 *     76  u32    rq_psn               first sequence number that is received
 *     80  u32    sq_psn               first sequence number that is sent
 *     84  u32    dest_qp_num          number of the peer's queue pair
 *     88  u32    qp_access_flags      what peers may do, see {@code AccessFlag}
 *     92  u16    pkey_index           slot of the partition key table
 *     94  u16    alt_pkey_index       the same for the alternate path
 *     96  u8     qp_state             next state, see {@code QueuePairState}
 *     97  u8     cur_qp_state         state that the caller assumes
 *     98  u8     path_mtu             code of the path MTU
 *     99  u8     path_mig_state       path migration state
 *    100  u8     en_sqd_async_notify  1: raise an event when the send queue is drained
 *    101  u8     max_rd_atomic        READs and atomics outstanding
 *    102  u8     max_dest_rd_atomic   READs and atomics served at a time
 *    103  u8     min_rnr_timer        code of the RNR timer, see {@code RnrTimer}
 *    104  u8     port_num             port
 *    105  u8     timeout              code of the acknowledgement timeout, see {@code AckTimeout}
 *    106  u8     retry_cnt            retries, 0 to 7
 *    107  u8     rnr_retry            retries after receiver not ready; 7 for ever
 *    108  u8     alt_port_num         port of the alternate path
 *    109  u8     alt_timeout          timeout of the alternate path
 *    110  u16    reserved             0
 *    112  bytes in all
 * </pre>
 */
public final class ModifyQp {
    /** Bytes of the struct. */
    public static final int SIZE = 112;

    /** Where the {@link QpDestination} to the peer lies in this struct. */
    public static final int DEST = 0;

    /** Where the {@link QpDestination} of the alternate path lies in this struct. */
    public static final int ALT_DEST = 32;

    private static final int QP_HANDLE = 64;
    private static final int ATTR_MASK = 68;
    private static final int QKEY = 72;
    private static final int RQ_PSN = 76;
    private static final int SQ_PSN = 80;
    private static final int DEST_QP_NUM = 84;
    private static final int QP_ACCESS_FLAGS = 88;
    private static final int PKEY_INDEX = 92;
    private static final int ALT_PKEY_INDEX = 94;
    private static final int QP_STATE = 96;
    private static final int CUR_QP_STATE = 97;
    private static final int PATH_MTU = 98;
    private static final int PATH_MIG_STATE = 99;
    private static final int EN_SQD_ASYNC_NOTIFY = 100;
    private static final int MAX_RD_ATOMIC = 101;
    private static final int MAX_DEST_RD_ATOMIC = 102;
    private static final int MIN_RNR_TIMER = 103;
    private static final int PORT_NUM = 104;
    private static final int TIMEOUT = 105;
    private static final int RETRY_CNT = 106;
    private static final int RNR_RETRY = 107;
    private static final int ALT_PORT_NUM = 108;
    private static final int ALT_TIMEOUT = 109;

    private ModifyQp() {}

    /** Queue pair. */
    public static int qpHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_HANDLE);
    }

    /** Stores {@link #qpHandle}. */
    public static void setQpHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_HANDLE, value);
    }

    /** Which fields count, see {@code QueuePairAttribute}. */
    public static int attrMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATTR_MASK);
    }

    /** Stores {@link #attrMask}. */
    public static void setAttrMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATTR_MASK, value);
    }

    /** Q_Key. */
    public static int qkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QKEY, value);
    }

    /** First sequence number that is received. */
    public static int rqPsn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RQ_PSN);
    }

    /** Stores {@link #rqPsn}. */
    public static void setRqPsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RQ_PSN, value);
    }

    /** First sequence number that is sent. */
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

    /** What peers may do, see {@code AccessFlag}. */
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

    /** Next state, see {@code QueuePairState}. */
    public static int qpState(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + QP_STATE);
    }

    /** Stores {@link #qpState}. */
    public static void setQpState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + QP_STATE, value);
    }

    /** State that the caller assumes. */
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

    /** 1: raise an event when the send queue is drained. */
    public static int enSqdAsyncNotify(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + EN_SQD_ASYNC_NOTIFY);
    }

    /** Stores {@link #enSqdAsyncNotify}. */
    public static void setEnSqdAsyncNotify(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + EN_SQD_ASYNC_NOTIFY, value);
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

    /** Code of the RNR timer, see {@code RnrTimer}. */
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

    /** Code of the acknowledgement timeout, see {@code AckTimeout}. */
    public static int timeout(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + TIMEOUT);
    }

    /** Stores {@link #timeout}. */
    public static void setTimeout(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + TIMEOUT, value);
    }

    /** Retries, 0 to 7. */
    public static int retryCnt(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RETRY_CNT);
    }

    /** Stores {@link #retryCnt}. */
    public static void setRetryCnt(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RETRY_CNT, value);
    }

    /** Retries after receiver not ready; 7 for ever. */
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
        return Layout.of("ib_uverbs_modify_qp", SIZE)
                .struct("dest", DEST, QpDestination.layout())
                .struct("alt_dest", ALT_DEST, QpDestination.layout())
                .u32("qp_handle", QP_HANDLE)
                .u32("attr_mask", ATTR_MASK)
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
                .u8("en_sqd_async_notify", EN_SQD_ASYNC_NOTIFY)
                .u8("max_rd_atomic", MAX_RD_ATOMIC)
                .u8("max_dest_rd_atomic", MAX_DEST_RD_ATOMIC)
                .u8("min_rnr_timer", MIN_RNR_TIMER)
                .u8("port_num", PORT_NUM)
                .u8("timeout", TIMEOUT)
                .u8("retry_cnt", RETRY_CNT)
                .u8("rnr_retry", RNR_RETRY)
                .u8("alt_port_num", ALT_PORT_NUM)
                .u8("alt_timeout", ALT_TIMEOUT)
                .reserved("reserved", 110, 2);
    }
}
