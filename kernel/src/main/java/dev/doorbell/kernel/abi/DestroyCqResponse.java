package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of DESTROY_CQ: how many events were delivered for the queue.
 *
 * <pre>
 *   struct ib_uverbs_destroy_cq_resp
 *      0  u32    comp_events_reported   completion events
 *      4  u32    async_events_reported  asynchronous events
 *      8  bytes in all
 * </pre>
 */
public final class DestroyCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int COMP_EVENTS_REPORTED = 0;
    private static final int ASYNC_EVENTS_REPORTED = 4;

    private DestroyCqResponse() {}

    /** Completion events. */
    public static int compEventsReported(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_EVENTS_REPORTED);
    }

    /** Stores {@link #compEventsReported}. */
    public static void setCompEventsReported(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_EVENTS_REPORTED, value);
    }

    /** Asynchronous events. */
    public static int asyncEventsReported(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ASYNC_EVENTS_REPORTED);
    }

    /** Stores {@link #asyncEventsReported}. */
    public static void setAsyncEventsReported(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ASYNC_EVENTS_REPORTED, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_destroy_cq_resp", SIZE)
                .u32("comp_events_reported", COMP_EVENTS_REPORTED)
                .u32("async_events_reported", ASYNC_EVENTS_REPORTED);
    }
}
