package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The head of the answer of POLL_CQ; {@link RxeCqe}s follow.
 *
 * <pre>
 *   struct ib_uverbs_poll_cq_resp
 *      0  u32    count     completions that follow
 *      4  u32    reserved
 *      8  bytes in all
 * </pre>
 */
public final class PollCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int COUNT = 0;

    private PollCqResponse() {}

    /** Completions that follow. */
    public static int count(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COUNT);
    }

    /** Stores {@link #count}. */
    public static void setCount(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COUNT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_poll_cq_resp", SIZE).u32("count", COUNT).reserved("reserved", 4, 4);
    }
}
