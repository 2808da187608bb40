package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_ID, JOIN_IP_MCAST and JOIN_MCAST.
 *
 * <pre>
 *   struct rdma_ucm_create_id_resp
 *      0  u32  id  the identifier, or the membership
 *      4  bytes in all
 * </pre>
 */
public final class CmCreateIdResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int ID = 0;

    private CmCreateIdResponse() {}

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
        return Layout.of("rdma_ucm_create_id_resp", SIZE).u32("id", ID);
    }
}
