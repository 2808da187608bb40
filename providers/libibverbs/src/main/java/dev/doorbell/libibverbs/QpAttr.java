package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/**
 * Attributes of a queue pair in C.
 *
 * <pre>
 *   struct ibv_qp_attr
 *      0  s32  qp_state              120  u16  pkey_index
 *      4  s32  cur_qp_state          122  u16  alt_pkey_index
 *      8  s32  path_mtu              124  u8   en_sqd_async_notify
 *     12  s32  path_mig_state        125  u8   sq_draining
 *     16  u32  qkey                  126  u8   max_rd_atomic
 *     20  u32  rq_psn                127  u8   max_dest_rd_atomic
 *     24  u32  sq_psn                128  u8   min_rnr_timer
 *     28  u32  dest_qp_num           129  u8   port_num
 *     32  u32  qp_access_flags       130  u8   timeout
 *     36       cap                   131  u8   retry_cnt
 *     56       ah_attr               132  u8   rnr_retry
 *     88       alt_ah_attr           136  u32  rate_limit
 *                                    144  bytes in all
 * </pre>
 */
final class QpAttr {
    static final int SIZE = 144;
    static final int STATE = 0;
    static final int CURRENT_STATE = 4;
    static final int PATH_MTU = 8;
    static final int QKEY = 16;
    static final int RQ_PSN = 20;
    static final int SQ_PSN = 24;
    static final int DEST_QP_NUM = 28;
    static final int ACCESS_FLAGS = 32;
    static final int AH_ATTR = 56;
    static final int PKEY_INDEX = 120;
    static final int SQD_ASYNC_NOTIFY = 124;
    static final int SQ_DRAINING = 125;
    static final int MAX_RD_ATOMIC = 126;
    static final int MAX_DEST_RD_ATOMIC = 127;
    static final int MIN_RNR_TIMER = 128;
    static final int PORT_NUM = 129;
    static final int TIMEOUT = 130;
    static final int RETRY_CNT = 131;
    static final int RNR_RETRY = 132;

    private QpAttr() {}

    /** Writes the attributes that are set; the rest stays as it is. */
    static void write(MemorySegment out, QueuePairAttributes attributes) {
        for (QueuePairAttribute attribute : attributes.mask()) {
            write(out, attributes, attribute);
        }
    }

    private static void write(MemorySegment out, QueuePairAttributes from, QueuePairAttribute attribute) {
        switch (attribute) {
            case STATE -> Host.setInt(out, STATE, from.state().code());
            case CURRENT_STATE ->
                Host.setInt(out, CURRENT_STATE, from.currentState().code());
            case SQD_ASYNC_NOTIFY -> Host.setByte(out, SQD_ASYNC_NOTIFY, from.sqdAsyncNotify() ? 1 : 0);
            case ACCESS_FLAGS -> Host.setInt(out, ACCESS_FLAGS, from.access());
            case PKEY_INDEX -> Host.setShort(out, PKEY_INDEX, from.pkeyIndex());
            case PORT -> Host.setByte(out, PORT_NUM, from.port());
            case QKEY -> Host.setInt(out, QKEY, from.qkey());
            case ADDRESS_VECTOR -> AhAttr.write(out, AH_ATTR, from.address());
            case PATH_MTU -> Host.setInt(out, PATH_MTU, from.pathMtu().code());
            case TIMEOUT -> Host.setByte(out, TIMEOUT, from.timeout());
            case RETRY_COUNT -> Host.setByte(out, RETRY_CNT, from.retryCount());
            case RNR_RETRY -> Host.setByte(out, RNR_RETRY, from.rnrRetry());
            case RECEIVE_PSN -> Host.setInt(out, RQ_PSN, from.receivePsn());
            case MAX_READ_ATOMIC -> Host.setByte(out, MAX_RD_ATOMIC, from.maxReadAtomic());
            case MIN_RNR_TIMER -> Host.setByte(out, MIN_RNR_TIMER, from.minRnrTimer());
            case SEND_PSN -> Host.setInt(out, SQ_PSN, from.sendPsn());
            case MAX_DEST_READ_ATOMIC -> Host.setByte(out, MAX_DEST_RD_ATOMIC, from.maxDestReadAtomic());
            case DESTINATION_QP -> Host.setInt(out, DEST_QP_NUM, from.destinationQueuePair());
            case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPACITY, RATE_LIMIT ->
                // No value for these can be set in attributes.
                throw new VerbsFault(Errno.EOPNOTSUPP, "MODIFY_QP of " + attribute);
        }
    }

    /** Everything that a query says; EIO for a state or an MTU that there is not. */
    static QueuePairAttributes read(MemorySegment in) {
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(state(Host.getInt(in, STATE)))
                .currentState(state(Host.getInt(in, CURRENT_STATE)))
                .access(Host.getInt(in, ACCESS_FLAGS))
                .pkeyIndex(Host.getUnsignedShort(in, PKEY_INDEX))
                .port(Host.getUnsignedByte(in, PORT_NUM))
                .qkey(Host.getInt(in, QKEY))
                .address(AhAttr.read(in, AH_ATTR))
                .timeout(Host.getUnsignedByte(in, TIMEOUT))
                .retryCount(Host.getUnsignedByte(in, RETRY_CNT))
                .rnrRetry(Host.getUnsignedByte(in, RNR_RETRY))
                .receivePsn(Host.getInt(in, RQ_PSN))
                .sendPsn(Host.getInt(in, SQ_PSN))
                .maxReadAtomic(Host.getUnsignedByte(in, MAX_RD_ATOMIC))
                .maxDestReadAtomic(Host.getUnsignedByte(in, MAX_DEST_RD_ATOMIC))
                .minRnrTimer(Host.getUnsignedByte(in, MIN_RNR_TIMER))
                .destinationQueuePair(Host.getInt(in, DEST_QP_NUM))
                .sqDraining(Host.getUnsignedByte(in, SQ_DRAINING) != 0);
        int mtu = Host.getInt(in, PATH_MTU);
        if (mtu != 0) {
            attributes.pathMtu(mtu(mtu));
        }
        return attributes.build();
    }

    private static QueuePairState state(int code) {
        if (code < 0 || code > QueuePairState.ERROR.code()) {
            throw new VerbsFault(Errno.EIO, "QUERY_QP: state " + code);
        }
        return QueuePairState.of(code);
    }

    private static Mtu mtu(int code) {
        if (code < 0 || code > Mtu.MTU_4096.code()) {
            throw new VerbsFault(Errno.EIO, "QUERY_QP: path MTU code " + code);
        }
        return Mtu.of(code);
    }
}
