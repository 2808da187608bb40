package dev.doorbell.kernel.abi;

/**
 * Objects, methods and attributes of the ioctl commands, with the numbers of {@code rdma/ib_user_ioctl_cmds.h}. Method
 * numbers count within their object, attribute numbers within their method.
 */
public final class IoctlIds {
    /** The request number of RDMA_VERBS_IOCTL. */
    public static final int RDMA_VERBS_IOCTL = 0xc018_1b01;

    /** Attribute flag: the command fails where the kernel does not know the attribute. */
    public static final int FLAG_MANDATORY = 1;
    /** Attribute flag, set by the kernel: it has written the attribute's output. */
    public static final int FLAG_VALID_OUTPUT = 2;

    /** Driver data of the request, in any method that has some. */
    public static final int UHW_IN = 0x1000;
    /** Driver data of the response, in any method that has some. */
    public static final int UHW_OUT = 0x1001;

    public static final int OBJECT_DEVICE = 0;
    public static final int OBJECT_PD = 1;
    public static final int OBJECT_COMP_CHANNEL = 2;
    public static final int OBJECT_CQ = 3;
    public static final int OBJECT_QP = 4;
    public static final int OBJECT_SRQ = 5;
    public static final int OBJECT_AH = 6;
    public static final int OBJECT_MR = 7;
    public static final int OBJECT_MW = 8;
    public static final int OBJECT_ASYNC_EVENT = 16;

    /** Carries a command of the write family. */
    public static final int DEVICE_INVOKE_WRITE = 0;

    public static final int INVOKE_WRITE_CORE_IN = 0;
    public static final int INVOKE_WRITE_CORE_OUT = 1;
    public static final int INVOKE_WRITE_CMD = 2;

    public static final int DEVICE_QUERY_PORT = 2;
    public static final int QUERY_PORT_PORT_NUM = 0;
    public static final int QUERY_PORT_RESP = 1;

    public static final int DEVICE_GET_CONTEXT = 3;
    public static final int DEVICE_QUERY_CONTEXT = 4;
    public static final int GET_CONTEXT_NUM_COMP_VECTORS = 0;
    public static final int GET_CONTEXT_CORE_SUPPORT = 1;

    public static final int DEVICE_QUERY_GID_TABLE = 5;
    public static final int QUERY_GID_TABLE_ENTRY_SIZE = 0;
    public static final int QUERY_GID_TABLE_FLAGS = 1;
    public static final int QUERY_GID_TABLE_RESP_ENTRIES = 2;
    public static final int QUERY_GID_TABLE_RESP_NUM_ENTRIES = 3;

    public static final int DEVICE_QUERY_GID_ENTRY = 6;
    public static final int QUERY_GID_ENTRY_PORT = 0;
    public static final int QUERY_GID_ENTRY_GID_INDEX = 1;
    public static final int QUERY_GID_ENTRY_FLAGS = 2;
    public static final int QUERY_GID_ENTRY_RESP_ENTRY = 3;

    public static final int ASYNC_EVENT_ALLOC = 0;
    public static final int ASYNC_EVENT_ALLOC_FD_HANDLE = 0;

    public static final int CQ_CREATE = 0;
    public static final int CQ_CREATE_HANDLE = 0;
    public static final int CQ_CREATE_CQE = 1;
    public static final int CQ_CREATE_USER_HANDLE = 2;
    public static final int CQ_CREATE_COMP_CHANNEL = 3;
    public static final int CQ_CREATE_COMP_VECTOR = 4;
    public static final int CQ_CREATE_FLAGS = 5;
    public static final int CQ_CREATE_RESP_CQE = 6;
    public static final int CQ_CREATE_EVENT_FD = 7;

    public static final int CQ_DESTROY = 1;
    public static final int CQ_DESTROY_HANDLE = 0;
    public static final int CQ_DESTROY_RESP = 1;

    public static final int QP_CREATE = 0;
    public static final int QP_CREATE_HANDLE = 0;
    public static final int QP_CREATE_XRCD_HANDLE = 1;
    public static final int QP_CREATE_PD_HANDLE = 2;
    public static final int QP_CREATE_SRQ_HANDLE = 3;
    public static final int QP_CREATE_SEND_CQ_HANDLE = 4;
    public static final int QP_CREATE_RECV_CQ_HANDLE = 5;
    public static final int QP_CREATE_IND_TABLE_HANDLE = 6;
    public static final int QP_CREATE_USER_HANDLE = 7;
    public static final int QP_CREATE_CAP = 8;
    public static final int QP_CREATE_TYPE = 9;
    public static final int QP_CREATE_FLAGS = 10;
    public static final int QP_CREATE_SOURCE_QPN = 11;
    public static final int QP_CREATE_EVENT_FD = 12;
    public static final int QP_CREATE_RESP_CAP = 13;
    public static final int QP_CREATE_RESP_QP_NUM = 14;

    /** In {@link #QP_CREATE_FLAGS}: every send completes visibly. */
    public static final int QP_CREATE_SQ_SIG_ALL = 1 << 12;

    public static final int QP_DESTROY = 1;
    public static final int QP_DESTROY_HANDLE = 0;
    public static final int QP_DESTROY_RESP = 1;

    public static final int SRQ_CREATE = 0;
    public static final int SRQ_CREATE_HANDLE = 0;
    public static final int SRQ_CREATE_PD_HANDLE = 1;
    public static final int SRQ_CREATE_XRCD_HANDLE = 2;
    public static final int SRQ_CREATE_CQ_HANDLE = 3;
    public static final int SRQ_CREATE_USER_HANDLE = 4;
    public static final int SRQ_CREATE_MAX_WR = 5;
    public static final int SRQ_CREATE_MAX_SGE = 6;
    public static final int SRQ_CREATE_LIMIT = 7;
    public static final int SRQ_CREATE_MAX_NUM_TAGS = 8;
    public static final int SRQ_CREATE_TYPE = 9;
    public static final int SRQ_CREATE_EVENT_FD = 10;
    public static final int SRQ_CREATE_RESP_MAX_WR = 11;
    public static final int SRQ_CREATE_RESP_MAX_SGE = 12;
    public static final int SRQ_CREATE_RESP_SRQ_NUM = 13;

    public static final int SRQ_DESTROY = 1;
    public static final int SRQ_DESTROY_HANDLE = 0;
    public static final int SRQ_DESTROY_RESP = 1;

    /** The only method of a protection domain, memory window or address handle, with the handle as its attribute 0. */
    public static final int SIMPLE_DESTROY = 0;

    public static final int MR_DESTROY = 1;
    public static final int MR_DESTROY_HANDLE = 0;

    private IoctlIds() {}
}
