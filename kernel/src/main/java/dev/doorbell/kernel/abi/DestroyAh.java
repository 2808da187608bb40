package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of DESTROY_AH; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_destroy_ah
 *      0  u32    ah_handle  the address handle
 *      4  bytes in all
 * </pre>
 */
public final class DestroyAh {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int AH_HANDLE = 0;

    private DestroyAh() {}

    /** The address handle. */
    public static int ahHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + AH_HANDLE);
    }

    /** Stores {@link #ahHandle}. */
    public static void setAhHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + AH_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_destroy_ah", SIZE).u32("ah_handle", AH_HANDLE);
    }
}
