package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of ALLOC_MW: makes a memory window.
 *
 * <pre>
 *   struct ib_uverbs_alloc_mw
 *      0  u64    response   left to the carrier
 *      8  u32    pd_handle  protection domain
 *     12  u8     mw_type    1 or 2
 *     13  u8[3]  reserved   0
 *     16  bytes in all
 * </pre>
 */
public final class AllocMw {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int PD_HANDLE = 8;
    private static final int MW_TYPE = 12;

    private AllocMw() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Protection domain. */
    public static int pdHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PD_HANDLE);
    }

    /** Stores {@link #pdHandle}. */
    public static void setPdHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PD_HANDLE, value);
    }

    /** 1 or 2. */
    public static int mwType(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MW_TYPE);
    }

    /** Stores {@link #mwType}. */
    public static void setMwType(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MW_TYPE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_alloc_mw", SIZE)
                .u64("response", RESPONSE)
                .u32("pd_handle", PD_HANDLE)
                .u8("mw_type", MW_TYPE)
                .reserved("reserved", 13, 3);
    }
}
