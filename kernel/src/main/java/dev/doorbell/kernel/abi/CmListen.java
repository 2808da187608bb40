package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * LISTEN waits for requests at the bound address.
 *
 * <pre>
 *   struct rdma_ucm_listen
 *      0  u32  id       the identifier
 *      4  u32  backlog  requests that may wait; 0 for the kernel's limit
 *      8  bytes in all
 * </pre>
 */
public final class CmListen {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int ID = 0;
    private static final int BACKLOG = 4;

    private CmListen() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Requests that may wait; 0 for the kernel's limit. */
    public static int backlog(MemorySegment segment, long at) {
        return Host.getInt(segment, at + BACKLOG);
    }

    /** Stores {@link #backlog}. */
    public static void setBacklog(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + BACKLOG, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_listen", SIZE).u32("id", ID).u32("backlog", BACKLOG);
    }
}
