package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of REG_MR.
 *
 * <pre>
 *   struct ib_uverbs_reg_mr_resp
 *      0  u32    mr_handle  the new memory region
 *      4  u32    lkey       key for local use
 *      8  u32    rkey       key for peers
 *     12  bytes in all
 * </pre>
 */
public final class RegMrResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 12;

    private static final int MR_HANDLE = 0;
    private static final int LKEY = 4;
    private static final int RKEY = 8;

    private RegMrResponse() {}

    /** The new memory region. */
    public static int mrHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MR_HANDLE);
    }

    /** Stores {@link #mrHandle}. */
    public static void setMrHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MR_HANDLE, value);
    }

    /** Key for local use. */
    public static int lkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LKEY);
    }

    /** Stores {@link #lkey}. */
    public static void setLkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LKEY, value);
    }

    /** Key for peers. */
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
        return Layout.of("ib_uverbs_reg_mr_resp", SIZE)
                .u32("mr_handle", MR_HANDLE)
                .u32("lkey", LKEY)
                .u32("rkey", RKEY);
    }
}
