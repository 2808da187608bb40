package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of EX_QUERY_DEVICE.
 *
 * <pre>
 *   struct ib_uverbs_ex_query_device
 *      0  u32    comp_mask  0
 *      4  u32    reserved   0
 *      8  bytes in all
 * </pre>
 */
public final class ExQueryDevice {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int COMP_MASK = 0;

    private ExQueryDevice() {}

    /** 0. */
    public static int compMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_MASK);
    }

    /** Stores {@link #compMask}. */
    public static void setCompMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_MASK, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_query_device", SIZE)
                .u32("comp_mask", COMP_MASK)
                .reserved("reserved", 4, 4);
    }
}
