package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of REREG_MR.
 *
 * <pre>
 *   struct ib_uverbs_rereg_mr_resp
 *      0  u32    lkey  key for local use
 *      4  u32    rkey  key for peers
 *      8  bytes in all
 * </pre>
 */
public final class ReregMrResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int LKEY = 0;
    private static final int RKEY = 4;

    private ReregMrResponse() {}

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
        return Layout.of("ib_uverbs_rereg_mr_resp", SIZE).u32("lkey", LKEY).u32("rkey", RKEY);
    }
}
