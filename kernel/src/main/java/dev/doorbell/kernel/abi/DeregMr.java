package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of DEREG_MR; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_dereg_mr
 *      0  u32    mr_handle  the memory region
 *      4  bytes in all
 * </pre>
 */
public final class DeregMr {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int MR_HANDLE = 0;

    private DeregMr() {}

    /** The memory region. */
    public static int mrHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MR_HANDLE);
    }

    /** Stores {@link #mrHandle}. */
    public static void setMrHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MR_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_dereg_mr", SIZE).u32("mr_handle", MR_HANDLE);
    }
}
