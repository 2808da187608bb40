package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of POST_SEND.
 *
 * <pre>
 *   struct ib_uverbs_post_send_resp
 *      0  u32    bad_wr  position, from 1, of the work request that failed
 *      4  bytes in all
 * </pre>
 */
public final class PostSendResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int BAD_WR = 0;

    private PostSendResponse() {}

    /** Position, from 1, of the work request that failed. */
    public static int badWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + BAD_WR);
    }

    /** Stores {@link #badWr}. */
    public static void setBadWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + BAD_WR, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_post_send_resp", SIZE).u32("bad_wr", BAD_WR);
    }
}
