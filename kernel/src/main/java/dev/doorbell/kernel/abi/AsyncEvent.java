package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A record of the file with asynchronous events.
 *
 * <pre>
 *   struct ib_uverbs_async_event_desc
 *      0  u64    element     cookie of the queue it concerns, or a port number
 *      8  u32    event_type  see {@code AsyncEventType}
 *     12  u32    reserved
 *     16  bytes in all
 * </pre>
 */
public final class AsyncEvent {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int ELEMENT = 0;
    private static final int EVENT_TYPE = 8;

    private AsyncEvent() {}

    /** Cookie of the queue it concerns, or a port number. */
    public static long element(MemorySegment segment, long at) {
        return Host.getLong(segment, at + ELEMENT);
    }

    /** Stores {@link #element}. */
    public static void setElement(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + ELEMENT, value);
    }

    /** See {@code AsyncEventType}. */
    public static int eventType(MemorySegment segment, long at) {
        return Host.getInt(segment, at + EVENT_TYPE);
    }

    /** Stores {@link #eventType}. */
    public static void setEventType(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + EVENT_TYPE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_async_event_desc", SIZE)
                .u64("element", ELEMENT)
                .u32("event_type", EVENT_TYPE)
                .reserved("reserved", 12, 4);
    }
}
