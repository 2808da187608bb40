package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_SRQ.
 *
 * <pre>
 *   struct ib_uverbs_create_srq_resp
 *      0  u32    srq_handle  the new shared receive queue
 *      4  u32    max_wr      receive work requests granted
 *      8  u32    max_sge     scatter/gather elements granted
 *     12  u32    srqn        number for XRC peers
 *     16  bytes in all
 * </pre>
 */
public final class CreateSrqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int SRQ_HANDLE = 0;
    private static final int MAX_WR = 4;
    private static final int MAX_SGE = 8;
    private static final int SRQN = 12;

    private CreateSrqResponse() {}

    /** The new shared receive queue. */
    public static int srqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_HANDLE);
    }

    /** Stores {@link #srqHandle}. */
    public static void setSrqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_HANDLE, value);
    }

    /** Receive work requests granted. */
    public static int maxWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_WR);
    }

    /** Stores {@link #maxWr}. */
    public static void setMaxWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_WR, value);
    }

    /** Scatter/gather elements granted. */
    public static int maxSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SGE);
    }

    /** Stores {@link #maxSge}. */
    public static void setMaxSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SGE, value);
    }

    /** Number for XRC peers. */
    public static int srqn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQN);
    }

    /** Stores {@link #srqn}. */
    public static void setSrqn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQN, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_srq_resp", SIZE)
                .u32("srq_handle", SRQ_HANDLE)
                .u32("max_wr", MAX_WR)
                .u32("max_sge", MAX_SGE)
                .u32("srqn", SRQN);
    }
}
