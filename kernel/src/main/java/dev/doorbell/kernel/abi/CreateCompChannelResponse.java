package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_COMP_CHANNEL.
 *
 * <pre>
 *   struct ib_uverbs_create_comp_channel_resp
 *      0  u32    fd  descriptor of the file with completion events
 *      4  bytes in all
 * </pre>
 */
public final class CreateCompChannelResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int FD = 0;

    private CreateCompChannelResponse() {}

    /** Descriptor of the file with completion events. */
    public static int fd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FD);
    }

    /** Stores {@link #fd}. */
    public static void setFd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FD, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_comp_channel_resp", SIZE).u32("fd", FD);
    }
}
