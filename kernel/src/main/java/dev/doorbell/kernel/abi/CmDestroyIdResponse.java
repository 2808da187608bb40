package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of DESTROY_ID and LEAVE_MCAST.
 *
 * <pre>
 *   struct rdma_ucm_destroy_id_resp
 *      0  u32  events_reported  events that were read from the file
 *      4  bytes in all
 * </pre>
 */
public final class CmDestroyIdResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int EVENTS_REPORTED = 0;

    private CmDestroyIdResponse() {}

    /** Events that were read from the file. */
    public static int eventsReported(MemorySegment segment, long at) {
        return Host.getInt(segment, at + EVENTS_REPORTED);
    }

    /** Stores {@link #eventsReported}. */
    public static void setEventsReported(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + EVENTS_REPORTED, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_destroy_id_resp", SIZE).u32("events_reported", EVENTS_REPORTED);
    }
}
