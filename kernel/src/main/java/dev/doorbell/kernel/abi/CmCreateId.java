package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * CREATE_ID makes an identifier.
 *
 * <pre>
 *   struct rdma_ucm_create_id
 *      0  u64    uid       cookie that comes back in events
 *      8  u64    response  address of the answer, left to the carrier
 *     16  u16    ps        port space, see {@link dev.doorbell.spec.PortSpace}
 *     18  u8     qp_type   code of the type of queue pair, see {@code QueuePairType}
 *     19  u8[5]  reserved  0
 *     24  bytes in all
 * </pre>
 */
public final class CmCreateId {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    private static final int UID = 0;
    private static final int RESPONSE = 8;
    private static final int PS = 16;
    private static final int QP_TYPE = 18;

    private CmCreateId() {}

    /** Cookie that comes back in events. */
    public static long uid(MemorySegment segment, long at) {
        return Host.getLong(segment, at + UID);
    }

    /** Stores {@link #uid}. */
    public static void setUid(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + UID, value);
    }

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Port space, see {@link dev.doorbell.spec.PortSpace}. */
    public static int ps(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PS);
    }

    /** Stores {@link #ps}. */
    public static void setPs(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PS, value);
    }

    /** Code of the type of queue pair, see {@code QueuePairType}. */
    public static int qpType(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + QP_TYPE);
    }

    /** Stores {@link #qpType}. */
    public static void setQpType(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + QP_TYPE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_create_id", SIZE)
                .u64("uid", UID)
                .u64("response", RESPONSE)
                .u16("ps", PS)
                .u8("qp_type", QP_TYPE)
                .reserved("reserved", 19, 5);
    }
}
