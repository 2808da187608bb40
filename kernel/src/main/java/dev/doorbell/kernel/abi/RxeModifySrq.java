package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of MODIFY_SRQ.
 *
 * <pre>
 *   struct rxe_modify_srq_cmd
 *      0  u64    mmap_info_addr  address where the kernel stores a {@link RxeMmapInfo} of the new queue
 *      8  bytes in all
 * </pre>
 *
 * <p>Room for that info comes behind the struct, in the same segment: the embedded kernel writes nowhere else.
 */
public final class RxeModifySrq {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int MMAP_INFO_ADDR = 0;

    private RxeModifySrq() {}

    /** Address where the kernel stores a {@link RxeMmapInfo} of the new queue. */
    public static long mmapInfoAddr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + MMAP_INFO_ADDR);
    }

    /** Stores {@link #mmapInfoAddr}. */
    public static void setMmapInfoAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + MMAP_INFO_ADDR, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_modify_srq_cmd", SIZE).u64("mmap_info_addr", MMAP_INFO_ADDR);
    }
}
