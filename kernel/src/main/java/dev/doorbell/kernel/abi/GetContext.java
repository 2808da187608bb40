package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of GET_CONTEXT: the first command on a channel.
 *
 * <pre>
 *   struct ib_uverbs_get_context
 *      0  u64    response  left to the carrier
 *      8  bytes in all
 * </pre>
 */
public final class GetContext {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int RESPONSE = 0;

    private GetContext() {}

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
        return Layout.of("ib_uverbs_get_context", SIZE).u64("response", RESPONSE);
    }
}
