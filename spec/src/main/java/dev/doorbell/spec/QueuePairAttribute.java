package dev.doorbell.spec;

import java.util.EnumSet;
import java.util.Set;

/**
 * Attributes of a queue pair that a modify may name ({@code enum ibv_qp_attr_mask}).
 *
 * <p>Follows ibv_modify_qp(3).
 *
 * <p>Thread rules: immutable.
 */
public enum QueuePairAttribute {
    /** State to go to. */
    STATE(0),
    /** State that the caller takes it to be in. */
    CURRENT_STATE(1),
    /** Report when the send queue is drained. */
    SQD_ASYNC_NOTIFY(2),
    /** What remote peers may do. */
    ACCESS_FLAGS(3),
    /** Index of the P_Key. */
    PKEY_INDEX(4),
    /** Local port. */
    PORT(5),
    /** Q_Key. */
    QKEY(6),
    /** Where packets go. */
    ADDRESS_VECTOR(7),
    /** Path MTU. */
    PATH_MTU(8),
    /** Local ACK timeout. */
    TIMEOUT(9),
    /** Retries after a timeout or sequence NAK. */
    RETRY_COUNT(10),
    /** Retries after receiver-not-ready. */
    RNR_RETRY(11),
    /** Packet sequence number expected first. */
    RECEIVE_PSN(12),
    /** Outstanding READs and atomics as the requester. */
    MAX_READ_ATOMIC(13),
    /** Alternate path. */
    ALTERNATE_PATH(14),
    /** Shortest receiver-not-ready wait asked of the peer. */
    MIN_RNR_TIMER(15),
    /** Packet sequence number sent first. */
    SEND_PSN(16),
    /** READs and atomics taken as the responder. */
    MAX_DEST_READ_ATOMIC(17),
    /** Path migration state. */
    PATH_MIGRATION_STATE(18),
    /** Sizes of the queues. */
    CAPACITY(19),
    /** Number of the peer's queue pair. */
    DESTINATION_QP(20),
    /** Packet pacing rate. */
    RATE_LIMIT(25);

    private final int bit;

    QueuePairAttribute(int position) {
        this.bit = 1 << position;
    }

    /** The attribute's bit in a mask. */
    public int bit() {
        return bit;
    }

    /** The mask of a set of attributes. */
    public static int mask(Set<QueuePairAttribute> attributes) {
        int mask = 0;
        for (QueuePairAttribute attribute : attributes) {
            mask |= attribute.bit;
        }
        return mask;
    }

    /** The attributes of a mask; bits without a meaning are left out. */
    public static Set<QueuePairAttribute> set(int mask) {
        EnumSet<QueuePairAttribute> attributes = EnumSet.noneOf(QueuePairAttribute.class);
        for (QueuePairAttribute attribute : values()) {
            if ((mask & attribute.bit) != 0) {
                attributes.add(attribute);
            }
        }
        return attributes;
    }
}
