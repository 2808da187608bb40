package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of DEALLOC_MW; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_dealloc_mw
 *      0  u32    mw_handle  the memory window
 *      4  bytes in all
 * </pre>
 */
public final class DeallocMw {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int MW_HANDLE = 0;

    private DeallocMw() {}

    /** The memory window. */
    public static int mwHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MW_HANDLE);
    }

    /** Stores {@link #mwHandle}. */
    public static void setMwHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MW_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_dealloc_mw", SIZE).u32("mw_handle", MW_HANDLE);
    }
}
