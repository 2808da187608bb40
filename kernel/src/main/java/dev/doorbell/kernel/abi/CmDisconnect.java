package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * DISCONNECT ends a connection, or agrees to its end.
 *
 * <pre>
 *   struct rdma_ucm_disconnect
 *      0  u32  id  the identifier
 *      4  bytes in all
 * </pre>
 */
public final class CmDisconnect {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int ID = 0;

    private CmDisconnect() {}

    /** The identifier. */
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
        return Layout.of("rdma_ucm_disconnect", SIZE).u32("id", ID);
    }
}
