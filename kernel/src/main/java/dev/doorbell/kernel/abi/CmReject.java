package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * REJECT refuses a request or the peer's answer.
 *
 * <pre>
 *   struct rdma_ucm_reject
 *      0  u32      id                the identifier
 *      4  u8       private_data_len  bytes of the private data
 *      5  u8       reason            code of a {@code RejectReason}; 0 stands for the program's own, 28
 *      6  u8[2]    reserved          0
 *      8  u8[256]  private_data      data for the program on the other side
 *    264  bytes in all
 * </pre>
 */
public final class CmReject {
    /** Bytes of the struct. */
    public static final int SIZE = 264;

    /** Where the field private_data lies in this struct: data for the program on the other side. */
    public static final int PRIVATE_DATA = 8;

    private static final int ID = 0;
    private static final int PRIVATE_DATA_LEN = 4;
    private static final int REASON = 5;

    private CmReject() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Bytes of the private data. */
    public static int privateDataLen(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PRIVATE_DATA_LEN);
    }

    /** Stores {@link #privateDataLen}. */
    public static void setPrivateDataLen(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PRIVATE_DATA_LEN, value);
    }

    /** Code of a {@code RejectReason}; 0 stands for the program's own, 28. */
    public static int reason(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + REASON);
    }

    /** Stores {@link #reason}. */
    public static void setReason(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + REASON, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_reject", SIZE)
                .u32("id", ID)
                .u8("private_data_len", PRIVATE_DATA_LEN)
                .u8("reason", REASON)
                .reserved("reserved", 6, 2)
                .bytes("private_data", PRIVATE_DATA, 256);
    }
}
