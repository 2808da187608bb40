package dev.doorbell.verbs.spi;

/** What a driver may or may not have: the slots of the C library's operation table, by their verbs names. */
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
    ASYNC_EVENT
}
