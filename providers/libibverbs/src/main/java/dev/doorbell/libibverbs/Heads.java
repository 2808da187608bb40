package dev.doorbell.libibverbs;

/** Where the fields lie that are read of the library's objects: offsets in bytes, in infiniband/verbs.h of 64-bit machines. */
final class Heads {
    /** {@code ibv_device}: the name, such as rxe0; the name of its node, such as uverbs0. */
    static final int DEVICE_NAME = 24;

    static final int DEVICE_NODE_NAME = 88;
    static final int DEVICE_NAME_LENGTH = 64;
    static final int DEVICE_SIZE = 664;

    /** The first field of {@code ibv_context} and, but for the device, of every other object: what it belongs to. */
    static final int OWNER = 0;

    /** {@code ibv_pd}. */
    static final int PD_HANDLE = 8;

    /** {@code ibv_mr} and {@code ibv_mw} begin with the context and the protection domain that they belong to. */
    static final int PARENTS_SIZE = 16;

    /** {@code ibv_mr}. */
    static final int MR_LKEY = 36;

    static final int MR_RKEY = 40;

    /** {@code ibv_mw}. */
    static final int MW_RKEY = 16;

    /** {@code ibv_comp_channel}. */
    static final int CHANNEL_FD = 8;

    /** {@code ibv_cq}. */
    static final int CQ_COOKIE = 16;

    static final int CQ_HANDLE = 24;
    static final int CQ_ENTRIES = 28;

    /** {@code ibv_qp}. */
    static final int QP_COOKIE = 8;

    static final int QP_HANDLE = 48;
    static final int QP_NUMBER = 52;
    static final int QP_TYPE = 60;

    /** {@code ibv_srq}. */
    static final int SRQ_COOKIE = 8;

    static final int SRQ_HANDLE = 24;

    private Heads() {}
}
