package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * NOTIFY tells of an event of the queue pair; COMM_EST makes an accepted connection established.
 *
 * <pre>
 *   struct rdma_ucm_notify
 *      0  u32  id     the identifier
 *      4  u32  event  code of an {@code AsyncEventType}
 *      8  bytes in all
 * </pre>
 */
public final class CmNotify {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int ID = 0;
    private static final int EVENT = 4;

    private CmNotify() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Code of an {@code AsyncEventType}. */
    public static int event(MemorySegment segment, long at) {
        return Host.getInt(segment, at + EVENT);
    }

    /** Stores {@link #event}. */
    public static void setEvent(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + EVENT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_notify", SIZE).u32("id", ID).u32("event", EVENT);
    }
}
