package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of ALLOC_MW.
 *
 * <pre>
 *   struct ib_uverbs_alloc_mw_resp
 *      0  u32    mw_handle  the new memory window
 *      4  u32    rkey       its key, invalid until it is bound
 *      8  bytes in all
 * </pre>
 */
public final class AllocMwResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int MW_HANDLE = 0;
    private static final int RKEY = 4;

    private AllocMwResponse() {}

    /** The new memory window. */
    public static int mwHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MW_HANDLE);
    }

    /** Stores {@link #mwHandle}. */
    public static void setMwHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MW_HANDLE, value);
    }

    /** Its key, invalid until it is bound. */
    public static int rkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RKEY);
    }

    /** Stores {@link #rkey}. */
    public static void setRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RKEY, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_alloc_mw_resp", SIZE)
                .u32("mw_handle", MW_HANDLE)
                .u32("rkey", RKEY);
    }
}
