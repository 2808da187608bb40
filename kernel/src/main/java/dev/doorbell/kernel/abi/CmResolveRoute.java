package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * RESOLVE_ROUTE finds the path to the resolved address; ROUTE_RESOLVED or ROUTE_ERROR follow.
 *
 * <pre>
 *   struct rdma_ucm_resolve_route
 *      0  u32  id          the identifier
 *      4  u32  timeout_ms  how long it may take
 *      8  bytes in all
 * </pre>
 */
public final class CmResolveRoute {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int ID = 0;
    private static final int TIMEOUT_MS = 4;

    private CmResolveRoute() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** How long it may take. */
    public static int timeoutMs(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TIMEOUT_MS);
    }

    /** Stores {@link #timeoutMs}. */
    public static void setTimeoutMs(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TIMEOUT_MS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_resolve_route", SIZE).u32("id", ID).u32("timeout_ms", TIMEOUT_MS);
    }
}
