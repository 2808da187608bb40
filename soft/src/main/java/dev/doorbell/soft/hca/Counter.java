package dev.doorbell.soft.hca;

import java.util.Locale;

/** What a device counts. The first block has rxe's names; the second is ours; the third says why packets were
 * dropped. */
enum Counter {
    SENT_PKTS,
    RCVD_PKTS,
    DUPLICATE_REQUEST,
    OUT_OF_SEQ_REQUEST,
    RCVD_RNR_ERR,
    SEND_RNR_ERR,
    RCVD_SEQ_ERR,
    ACK_DEFERRED,
    RETRY_EXCEEDED_ERR,
    RETRY_RNR_EXCEEDED_ERR,
    COMPLETER_RETRY_ERR,
    SEND_ERR,
    LINK_DOWNED,
    RDMA_SENDS,
    RDMA_RECVS,

    /** Request packets that were sent before. */
    RESENT_PKTS,
    /** Of those, questions whether the end of a burst was lost (rule 3.3). */
    TAIL_PROBES,

    DROPPED_MALFORMED,
    DROPPED_UNKNOWN_QP,
    DROPPED_TRANSPORT_MISMATCH,
    DROPPED_QP_STATE,
    DROPPED_ADDRESS_MISMATCH,
    DROPPED_PKEY_MISMATCH,
    DROPPED_QKEY_MISMATCH,
    DROPPED_NO_RECEIVE,
    DROPPED_REQUEST,
    DROPPED_GHOST_ANSWER,
    DROPPED_UNKNOWN_DUPLICATE,
    DROPPED_CNP;

    /** The name under which it is reported. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
