package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * INIT_QP_ATTR asks with which attributes a queue pair goes to a state.
 *
 * <pre>
 *   struct rdma_ucm_init_qp_attr
 *      0  u64  response  address of the answer, left to the carrier
 *      8  u32  id        the identifier
 *     12  u32  qp_state  code of the state, see {@code QueuePairState}
 *     16  bytes in all
 * </pre>
 */
public final class CmInitQpAttr {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int ID = 8;
    private static final int QP_STATE = 12;

    private CmInitQpAttr() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Code of the state, see {@code QueuePairState}. */
    public static int qpState(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_STATE);
    }

    /** Stores {@link #qpState}. */
    public static void setQpState(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_STATE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_init_qp_attr", SIZE)
                .u64("response", RESPONSE)
                .u32("id", ID)
                .u32("qp_state", QP_STATE);
    }
}
