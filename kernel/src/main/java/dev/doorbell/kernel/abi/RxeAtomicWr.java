package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link RxeSendWqe} that COMPARE AND SWAP and FETCH AND ADD have. Offsets count from the start of the
 * work request.
 *
 * <pre>
 *   struct rxe_send_wqe
 *     24  u64    wr.wr.atomic.remote_addr  address at the peer, a multiple of 8
 *     32  u64    wr.wr.atomic.compare_add  value to compare with, or to add
 *     40  u64    wr.wr.atomic.swap         value to store
 *     48  u32    wr.wr.atomic.rkey         key of the peer's memory
 *     52  u32    wr.wr.atomic.reserved     0
 *    208  bytes in all
 * </pre>
 */
public final class RxeAtomicWr {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    private static final int REMOTE_ADDR = 24;
    private static final int COMPARE_ADD = 32;
    private static final int SWAP = 40;
    private static final int RKEY = 48;

    private RxeAtomicWr() {}

    /** Address at the peer, a multiple of 8. */
    public static long remoteAddr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + REMOTE_ADDR);
    }

    /** Stores {@link #remoteAddr}. */
    public static void setRemoteAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + REMOTE_ADDR, value);
    }

    /** Value to compare with, or to add. */
    public static long compareAdd(MemorySegment segment, long at) {
        return Host.getLong(segment, at + COMPARE_ADD);
    }

    /** Stores {@link #compareAdd}. */
    public static void setCompareAdd(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + COMPARE_ADD, value);
    }

    /** Value to store. */
    public static long swap(MemorySegment segment, long at) {
        return Host.getLong(segment, at + SWAP);
    }

    /** Stores {@link #swap}. */
    public static void setSwap(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + SWAP, value);
    }

    /** Key of the peer's memory. */
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
        return Layout.of("rxe_send_wqe", SIZE)
                .u64("wr.wr.atomic.remote_addr", REMOTE_ADDR)
                .u64("wr.wr.atomic.compare_add", COMPARE_ADD)
                .u64("wr.wr.atomic.swap", SWAP)
                .u32("wr.wr.atomic.rkey", RKEY)
                .reserved("wr.wr.atomic.reserved", 52, 4);
    }
}
