package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of DESTROY_QP.
 *
 * <pre>
 *   struct ib_uverbs_destroy_qp_resp
 *      0  u32    events_reported  asynchronous events that were delivered for the queue pair
 *      4  bytes in all
 * </pre>
 */
public final class DestroyQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int EVENTS_REPORTED = 0;

    private DestroyQpResponse() {}

    /** Asynchronous events that were delivered for the queue pair. */
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
        return Layout.of("ib_uverbs_destroy_qp_resp", SIZE).u32("events_reported", EVENTS_REPORTED);
    }
}
