package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of DEALLOC_PD; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_dealloc_pd
 *      0  u32    pd_handle  the protection domain
 *      4  bytes in all
 * </pre>
 */
public final class DeallocPd {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int PD_HANDLE = 0;

    private DeallocPd() {}

    /** The protection domain. */
    public static int pdHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PD_HANDLE);
    }

    /** Stores {@link #pdHandle}. */
    public static void setPdHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PD_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_dealloc_pd", SIZE).u32("pd_handle", PD_HANDLE);
    }
}
