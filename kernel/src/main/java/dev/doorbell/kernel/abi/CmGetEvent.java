package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * GET_EVENT reads one event; the event file sends it.
 *
 * <pre>
 *   struct rdma_ucm_get_event
 *      0  u64  response  address of the answer, left to the carrier
 *      8  bytes in all
 * </pre>
 */
public final class CmGetEvent {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int RESPONSE = 0;

    private CmGetEvent() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_get_event", SIZE).u64("response", RESPONSE);
    }
}
