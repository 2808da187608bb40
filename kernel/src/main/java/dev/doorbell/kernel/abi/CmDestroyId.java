package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * DESTROY_ID destroys an identifier, LEAVE_MCAST ends a membership.
 *
 * <pre>
 *   struct rdma_ucm_destroy_id
 *      0  u64    response  address of the answer, left to the carrier
 *      8  u32    id        the identifier, or the membership
 *     12  u8[4]  reserved  0
 *     16  bytes in all
 * </pre>
 */
public final class CmDestroyId {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int ID = 8;

    private CmDestroyId() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The identifier, or the membership. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_destroy_id", SIZE)
                .u64("response", RESPONSE)
                .u32("id", ID)
                .reserved("reserved", 12, 4);
    }
}
