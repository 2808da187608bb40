package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * Where datagrams go: in events of port space UDP, and of multicast groups.
 *
 * <pre>
 *   struct rdma_ucm_ud_param
 *      0  u32      qp_num            number of the queue pair
 *      4  u32      qkey              Q_Key
 *      8  32 B     ah_attr           {@link AhAttributes}: the address vector
 *     40  u8[256]  private_data      data from the program on the other side
 *    296  u8       private_data_len  bytes of the field on the wire
 *    297  u8[7]    reserved          0
 *    304  bytes in all
 * </pre>
 */
public final class CmDatagramParameters {
    /** Bytes of the struct. */
    public static final int SIZE = 304;

    /** Where the {@link AhAttributes} ah_attr lies in this struct. */
    public static final int AH_ATTR = 8;

    /** Where the field private_data lies in this struct: data from the program on the other side. */
    public static final int PRIVATE_DATA = 40;

    private static final int QP_NUM = 0;
    private static final int QKEY = 4;
    private static final int PRIVATE_DATA_LEN = 296;

    private CmDatagramParameters() {}

    /** Number of the queue pair. */
    public static int qpNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_NUM);
    }

    /** Stores {@link #qpNum}. */
    public static void setQpNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_NUM, value);
    }

    /** Q_Key. */
    public static int qkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QKEY, value);
    }

    /** Bytes of the field on the wire. */
    public static int privateDataLen(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PRIVATE_DATA_LEN);
    }

    /** Stores {@link #privateDataLen}. */
    public static void setPrivateDataLen(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PRIVATE_DATA_LEN, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_ud_param", SIZE)
                .u32("qp_num", QP_NUM)
                .u32("qkey", QKEY)
                .struct("ah_attr", AH_ATTR, AhAttributes.layout())
                .bytes("private_data", PRIVATE_DATA, 256)
                .u8("private_data_len", PRIVATE_DATA_LEN)
                .reserved("reserved", 297, 7);
    }
}
