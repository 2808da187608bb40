package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of GET_CONTEXT.
 *
 * <pre>
 *   struct ib_uverbs_get_context_resp
 *      0  u32    async_fd          descriptor of the file with asynchronous events
 *      4  u32    num_comp_vectors  completion vectors of the device
 *      8  bytes in all
 * </pre>
 */
public final class GetContextResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int ASYNC_FD = 0;
    private static final int NUM_COMP_VECTORS = 4;

    private GetContextResponse() {}

    /** Descriptor of the file with asynchronous events. */
    public static int asyncFd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ASYNC_FD);
    }

    /** Stores {@link #asyncFd}. */
    public static void setAsyncFd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ASYNC_FD, value);
    }

    /** Completion vectors of the device. */
    public static int numCompVectors(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NUM_COMP_VECTORS);
    }

    /** Stores {@link #numCompVectors}. */
    public static void setNumCompVectors(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NUM_COMP_VECTORS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_get_context_resp", SIZE)
                .u32("async_fd", ASYNC_FD)
                .u32("num_comp_vectors", NUM_COMP_VECTORS);
    }
}
