package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * A completion queue entry, or the second half of one of 128 bytes. {@link ErrorCqe} is its form for failures.
 *
 * <p>An entry is the consumer's where its owner bit equals the lap: {@code (opAndOwner & 1) == ((index & size) != 0)}, and its opcode is not
 * {@link CqeOpcode#INVALID}. The producer writes {@link #opAndOwner} last.
 *
 * <pre>
 *   struct mlx5_cqe64
 *      0  2 B    rsvd0
 *      2  be16   wqe_id           not used
 *      4  13 B   rsvd4
 *     17  u8     ml_path          destination LID's path bits 6..0
 *     18  4 B    rsvd20
 *     22  be16   slid             source LID
 *     24  be32   flags_rqpn       header kind 29..28, service level 27..24, source queue pair 23..0
 *     28  u8     hds_ip_ext       not used
 *     29  u8     l4_hdr_type_etc  not used
 *     30  be16   vlan_info        not used
 *     32  be32   srqn_uidx        user index with CQE version 1, number of the shared receive queue with version 0, 23..0
 *     36  be32   imm_inval_pkey   immediate data, or the key that was invalidated, or the P_Key's index
 *     40  u8     app              not used
 *     41  u8     app_op           not used
 *     42  be16   app_info         not used
 *     44  be32   byte_cnt         length of the message
 *     48  be64   timestamp        clock of the device
 *     56  be32   sop_drop_qpn     operation of the WQE 31..24, queue pair number 23..0
 *     60  be16   wqe_counter      index of the WQE
 *     62  u8     signature        not used
 *     63  u8     op_own           {@link CqeOpcode} 7..4, data inside 3..2, solicited 1, owner 0
 *     64  bytes in all
 * </pre>
 */
public final class Cqe {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    /** In {@link #opAndOwner}: the owner bit. */
    public static final int OWNER = 1;
    /** In {@link #opAndOwner}: the completion was asked for by the peer. */
    public static final int SOLICITED = 2;
    /** In {@link #opAndOwner}: the received data, 32 bytes at most, lie in the first half of this entry. */
    public static final int DATA_32 = 4;
    /** In {@link #opAndOwner}: the received data, 64 bytes at most, lie in the half entry before this one. */
    public static final int DATA_64 = 8;

    private static final int STRIDE_INDEX = 2;
    private static final int PATH_BITS = 17;
    private static final int SOURCE_LID = 22;
    private static final int FLAGS_AND_SOURCE = 24;
    private static final int HEADER_SPLIT = 28;
    private static final int L4 = 29;
    private static final int VLAN = 30;
    private static final int USER_INDEX = 32;
    private static final int IMMEDIATE = 36;
    private static final int APP = 40;
    private static final int APP_OPERATION = 41;
    private static final int APP_INFO = 42;
    private static final int LENGTH = 44;
    private static final int TIMESTAMP = 48;
    private static final int OPCODE_AND_QUEUE_PAIR = 56;
    private static final int WQE_COUNTER = 60;
    private static final int SIGNATURE = 62;
    private static final int OP_AND_OWNER = 63;

    private Cqe() {}

    /** Not used. */
    public static int strideIndex(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + STRIDE_INDEX);
    }

    /** Stores {@link #strideIndex}. */
    public static void setStrideIndex(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + STRIDE_INDEX, value);
    }

    /** Destination LID's path bits 6..0. */
    public static int pathBits(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + PATH_BITS);
    }

    /** Stores {@link #pathBits}. */
    public static void setPathBits(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + PATH_BITS, value);
    }

    /** Source LID. */
    public static int sourceLid(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + SOURCE_LID);
    }

    /** Stores {@link #sourceLid}. */
    public static void setSourceLid(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + SOURCE_LID, value);
    }

    /** Header kind 29..28, service level 27..24, source queue pair 23..0. */
    public static int flagsAndSource(MemorySegment segment, long at) {
        return Be.getInt(segment, at + FLAGS_AND_SOURCE);
    }

    /** Stores {@link #flagsAndSource}. */
    public static void setFlagsAndSource(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + FLAGS_AND_SOURCE, value);
    }

    /** Not used. */
    public static int headerSplit(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + HEADER_SPLIT);
    }

    /** Stores {@link #headerSplit}. */
    public static void setHeaderSplit(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + HEADER_SPLIT, value);
    }

    /** Not used. */
    public static int l4(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + L4);
    }

    /** Stores {@link #l4}. */
    public static void setL4(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + L4, value);
    }

    /** Not used. */
    public static int vlan(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + VLAN);
    }

    /** Stores {@link #vlan}. */
    public static void setVlan(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + VLAN, value);
    }

    /** User index with CQE version 1, number of the shared receive queue with version 0, 23..0. */
    public static int userIndex(MemorySegment segment, long at) {
        return Be.getInt(segment, at + USER_INDEX);
    }

    /** Stores {@link #userIndex}. */
    public static void setUserIndex(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + USER_INDEX, value);
    }

    /** Immediate data, or the key that was invalidated, or the P_Key's index. */
    public static int immediate(MemorySegment segment, long at) {
        return Be.getInt(segment, at + IMMEDIATE);
    }

    /** Stores {@link #immediate}. */
    public static void setImmediate(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + IMMEDIATE, value);
    }

    /** Not used. */
    public static int app(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + APP);
    }

    /** Stores {@link #app}. */
    public static void setApp(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + APP, value);
    }

    /** Not used. */
    public static int appOperation(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + APP_OPERATION);
    }

    /** Stores {@link #appOperation}. */
    public static void setAppOperation(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + APP_OPERATION, value);
    }

    /** Not used. */
    public static int appInfo(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + APP_INFO);
    }

    /** Stores {@link #appInfo}. */
    public static void setAppInfo(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + APP_INFO, value);
    }

    /** Length of the message. */
    public static int length(MemorySegment segment, long at) {
        return Be.getInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + LENGTH, value);
    }

    /** Clock of the device. */
    public static long timestamp(MemorySegment segment, long at) {
        return Be.getLong(segment, at + TIMESTAMP);
    }

    /** Stores {@link #timestamp}. */
    public static void setTimestamp(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + TIMESTAMP, value);
    }

    /** Operation of the WQE 31..24, queue pair number 23..0. */
    public static int opcodeAndQueuePair(MemorySegment segment, long at) {
        return Be.getInt(segment, at + OPCODE_AND_QUEUE_PAIR);
    }

    /** Stores {@link #opcodeAndQueuePair}. */
    public static void setOpcodeAndQueuePair(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + OPCODE_AND_QUEUE_PAIR, value);
    }

    /** Index of the WQE. */
    public static int wqeCounter(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + WQE_COUNTER);
    }

    /** Stores {@link #wqeCounter}. */
    public static void setWqeCounter(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + WQE_COUNTER, value);
    }

    /** Not used. */
    public static int signature(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SIGNATURE);
    }

    /** Stores {@link #signature}. */
    public static void setSignature(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SIGNATURE, value);
    }

    /** {@link CqeOpcode} 7..4, data inside 3..2, solicited 1, owner 0. */
    public static int opAndOwner(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + OP_AND_OWNER);
    }

    /** Stores {@link #opAndOwner}. */
    public static void setOpAndOwner(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + OP_AND_OWNER, value);
    }

    /** A number of {@link CqeOpcode}. */
    public static int opcode(MemorySegment segment, long at) {
        return opAndOwner(segment, at) >>> 4;
    }

    /** Number of the queue pair. */
    public static int queuePair(MemorySegment segment, long at) {
        return opcodeAndQueuePair(segment, at) & 0xff_ffff;
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_cqe64", SIZE)
                .reserved("rsvd0", 0, 2)
                .be16("wqe_id", STRIDE_INDEX)
                .reserved("rsvd4", 4, 13)
                .u8("ml_path", PATH_BITS)
                .reserved("rsvd20", 18, 4)
                .be16("slid", SOURCE_LID)
                .be32("flags_rqpn", FLAGS_AND_SOURCE)
                .u8("hds_ip_ext", HEADER_SPLIT)
                .u8("l4_hdr_type_etc", L4)
                .be16("vlan_info", VLAN)
                .be32("srqn_uidx", USER_INDEX)
                .be32("imm_inval_pkey", IMMEDIATE)
                .u8("app", APP)
                .u8("app_op", APP_OPERATION)
                .be16("app_info", APP_INFO)
                .be32("byte_cnt", LENGTH)
                .be64("timestamp", TIMESTAMP)
                .be32("sop_drop_qpn", OPCODE_AND_QUEUE_PAIR)
                .be16("wqe_counter", WQE_COUNTER)
                .u8("signature", SIGNATURE)
                .u8("op_own", OP_AND_OWNER);
    }
}
