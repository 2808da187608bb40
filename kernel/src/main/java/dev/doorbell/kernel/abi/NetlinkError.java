package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * What follows the header of a message of type {@link NldevIds#MESSAGE_ERROR}: how a request ended.
 *
 * <pre>
 *   struct nlmsgerr
 *      0  s32    error  0, or a negative errno
 *      4  16     msg    the request's header; the request itself may follow
 *     20  bytes in all
 * </pre>
 */
public final class NetlinkError {
    /** Bytes of the struct. */
    public static final int SIZE = 20;

    private static final int ERROR = 0;
    private static final int REQUEST = 4;

    private NetlinkError() {}

    /** 0, or a negative errno. */
    public static int error(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ERROR);
    }

    /** Stores {@link #error}. */
    public static void setError(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ERROR, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("nlmsgerr", SIZE).s32("error", ERROR).struct("msg", REQUEST, NetlinkHeader.layout());
    }
}
