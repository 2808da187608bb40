package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * What both sides agree on: in CONNECT and ACCEPT the own wishes, in events those of the peer.
 *
 * <pre>
 *   struct rdma_ucm_conn_param
 *      0  u32      qp_num               number of the queue pair
 *      4  u32      qkey                 Q_Key, for datagrams
 *      8  u8[256]  private_data         data for the program on the other side
 *    264  u8       private_data_len     bytes of the private data; in events the bytes of the field on the wire
 *    265  u8       srq                  1: receives come from a shared receive queue
 *    266  u8       responder_resources  READs and atomics that are served at a time
 *    267  u8       initiator_depth      READs and atomics that may be outstanding
 *    268  u8       flow_control         1: the peer is told about receive credits
 *    269  u8       retry_count          retries of a lost packet
 *    270  u8       rnr_retry_count      retries after receiver not ready; 7: for ever
 *    271  u8       valid                1: these parameters count
 *    272  bytes in all
 * </pre>
 */
public final class CmConnectionParameters {
    /** Bytes of the struct. */
    public static final int SIZE = 272;

    /** Where the field private_data lies in this struct: data for the program on the other side. */
    public static final int PRIVATE_DATA = 8;

    private static final int QP_NUM = 0;
    private static final int QKEY = 4;
    private static final int PRIVATE_DATA_LEN = 264;
    private static final int SRQ = 265;
    private static final int RESPONDER_RESOURCES = 266;
    private static final int INITIATOR_DEPTH = 267;
    private static final int FLOW_CONTROL = 268;
    private static final int RETRY_COUNT = 269;
    private static final int RNR_RETRY_COUNT = 270;
    private static final int VALID = 271;

    private CmConnectionParameters() {}

    /** Number of the queue pair. */
    public static int qpNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_NUM);
    }

    /** Stores {@link #qpNum}. */
    public static void setQpNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_NUM, value);
    }

    /** Q_Key, for datagrams. */
    public static int qkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QKEY, value);
    }

    /** Bytes of the private data; in events the bytes of the field on the wire. */
    public static int privateDataLen(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PRIVATE_DATA_LEN);
    }

    /** Stores {@link #privateDataLen}. */
    public static void setPrivateDataLen(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PRIVATE_DATA_LEN, value);
    }

    /** 1: receives come from a shared receive queue. */
    public static int srq(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SRQ);
    }

    /** Stores {@link #srq}. */
    public static void setSrq(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SRQ, value);
    }

    /** READs and atomics that are served at a time. */
    public static int responderResources(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RESPONDER_RESOURCES);
    }

    /** Stores {@link #responderResources}. */
    public static void setResponderResources(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RESPONDER_RESOURCES, value);
    }

    /** READs and atomics that may be outstanding. */
    public static int initiatorDepth(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + INITIATOR_DEPTH);
    }

    /** Stores {@link #initiatorDepth}. */
    public static void setInitiatorDepth(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + INITIATOR_DEPTH, value);
    }

    /** 1: the peer is told about receive credits. */
    public static int flowControl(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + FLOW_CONTROL);
    }

    /** Stores {@link #flowControl}. */
    public static void setFlowControl(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + FLOW_CONTROL, value);
    }

    /** Retries of a lost packet. */
    public static int retryCount(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RETRY_COUNT);
    }

    /** Stores {@link #retryCount}. */
    public static void setRetryCount(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RETRY_COUNT, value);
    }

    /** Retries after receiver not ready; 7: for ever. */
    public static int rnrRetryCount(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RNR_RETRY_COUNT);
    }

    /** Stores {@link #rnrRetryCount}. */
    public static void setRnrRetryCount(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RNR_RETRY_COUNT, value);
    }

    /** 1: these parameters count. */
    public static int valid(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + VALID);
    }

    /** Stores {@link #valid}. */
    public static void setValid(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + VALID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_conn_param", SIZE)
                .u32("qp_num", QP_NUM)
                .u32("qkey", QKEY)
                .bytes("private_data", PRIVATE_DATA, 256)
                .u8("private_data_len", PRIVATE_DATA_LEN)
                .u8("srq", SRQ)
                .u8("responder_resources", RESPONDER_RESOURCES)
                .u8("initiator_depth", INITIATOR_DEPTH)
                .u8("flow_control", FLOW_CONTROL)
                .u8("retry_count", RETRY_COUNT)
                .u8("rnr_retry_count", RNR_RETRY_COUNT)
                .u8("valid", VALID);
    }
}
