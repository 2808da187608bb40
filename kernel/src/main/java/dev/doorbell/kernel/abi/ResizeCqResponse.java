package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of RESIZE_CQ.
 *
 * <pre>
 *   struct ib_uverbs_resize_cq_resp
 *      0  u32    cqe       entries granted
 *      4  u32    reserved
 *      8  bytes in all
 * </pre>
 */
public final class ResizeCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int CQE = 0;

    private ResizeCqResponse() {}

    /** Entries granted. */
    public static int cqe(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQE);
    }

    /** Stores {@link #cqe}. */
    public static void setCqe(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_resize_cq_resp", SIZE).u32("cqe", CQE).reserved("reserved", 4, 4);
    }
}
