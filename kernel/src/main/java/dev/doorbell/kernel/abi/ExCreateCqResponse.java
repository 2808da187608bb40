package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of EX_CREATE_CQ.
 *
 * <pre>
 *   struct ib_uverbs_ex_create_cq_resp
 *      0  8 B    base             {@link CreateCqResponse}
 *      8  u32    comp_mask        0
 *     12  u32    response_length  bytes that the kernel filled
 *     16  bytes in all
 * </pre>
 */
public final class ExCreateCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    /** Where the {@link CreateCqResponse} lies in this struct. */
    public static final int BASE = 0;

    private static final int COMP_MASK = 8;
    private static final int RESPONSE_LENGTH = 12;

    private ExCreateCqResponse() {}

    /** 0. */
    public static int compMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_MASK);
    }

    /** Stores {@link #compMask}. */
    public static void setCompMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_MASK, value);
    }

    /** Bytes that the kernel filled. */
    public static int responseLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RESPONSE_LENGTH);
    }

    /** Stores {@link #responseLength}. */
    public static void setResponseLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RESPONSE_LENGTH, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_create_cq_resp", SIZE)
                .struct("base", BASE, CreateCqResponse.layout())
                .u32("comp_mask", COMP_MASK)
                .u32("response_length", RESPONSE_LENGTH);
    }
}
