package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A record of a completion channel.
 *
 * <pre>
 *   struct ib_uverbs_comp_event_desc
 *      0  u64    cq_handle  cookie of the completion queue
 *      8  bytes in all
 * </pre>
 */
public final class CompletionEvent {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int COOKIE = 0;

    private CompletionEvent() {}

    /** Cookie of the completion queue. */
    public static long cookie(MemorySegment segment, long at) {
        return Host.getLong(segment, at + COOKIE);
    }

    /** Stores {@link #cookie}. */
    public static void setCookie(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + COOKIE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_comp_event_desc", SIZE).u64("cq_handle", COOKIE);
    }
}
