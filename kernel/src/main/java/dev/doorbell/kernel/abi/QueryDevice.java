package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of QUERY_DEVICE.
 *
 * <pre>
 *   struct ib_uverbs_query_device
 *      0  u64    response  left to the carrier
 *      8  bytes in all
 * </pre>
 */
public final class QueryDevice {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int RESPONSE = 0;

    private QueryDevice() {}

    /** Left to the carrier. */
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
        return Layout.of("ib_uverbs_query_device", SIZE).u64("response", RESPONSE);
    }
}
