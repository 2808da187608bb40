package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of DESTROY_SRQ.
 *
 * <pre>
 *   struct ib_uverbs_destroy_srq_resp
 *      0  u32    events_reported  asynchronous events that were delivered for the queue
 *      4  bytes in all
 * </pre>
 */
public final class DestroySrqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int EVENTS_REPORTED = 0;

    private DestroySrqResponse() {}

    /** Asynchronous events that were delivered for the queue. */
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
        return Layout.of("ib_uverbs_destroy_srq_resp", SIZE).u32("events_reported", EVENTS_REPORTED);
    }
}
