package dev.doorbell.verbs.spi;

/**
 * What a driver may or may not have: the slots of the C library's operation table, by their verbs names.
 *
 * <p>Thread rules: immutable.
 */
public enum Operation {
    QUERY_DEVICE,
    QUERY_PORT,
    ALLOC_PD,
    REG_MR,
    REREG_MR,
    ALLOC_MW,
    BIND_MW,
    CREATE_COMP_CHANNEL,
    CREATE_CQ,
    RESIZE_CQ,
    REQ_NOTIFY_CQ,
    POLL_CQ,
    CREATE_SRQ,
    MODIFY_SRQ,
    QUERY_SRQ,
    POST_SRQ_RECV,
    CREATE_QP,
    MODIFY_QP,
    QUERY_QP,
    POST_SEND,
    POST_RECV,
    CREATE_AH,
    ATTACH_MCAST,
    ASYNC_EVENT,
    CREATE_CQ_EX,
    MODIFY_CQ,
    QUERY_RT_VALUES,
    ALLOC_TD,
    ALLOC_PARENT_DOMAIN,
    ALLOC_NULL_MR,
    REG_DMABUF_MR,
    ADVISE_MR,
    ALLOC_DM,
    OPEN_XRCD,
    CREATE_WQ,
    CREATE_RWQ_IND_TABLE,
    CREATE_FLOW,
    CREATE_COUNTERS,
    MODIFY_QP_RATE_LIMIT,
    QUERY_ECE,
    SET_ECE,
    POST_SRQ_OPS
}
