package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link RxeSendWqe} that BIND MW has. Offsets count from the start of the work request.
 *
 * <pre>
 *   struct rxe_send_wqe
 *     24  u64    wr.wr.mw.addr     first address of the window
 *     32  u64    wr.wr.mw.length   bytes
 *     40  u32    wr.wr.mw.mr_lkey  local key of the memory region under the window
 *     44  u32    wr.wr.mw.mw_rkey  present key of the window
 *     48  u32    wr.wr.mw.rkey     next key of the window
 *     52  u32    wr.wr.mw.access   see {@code AccessFlag}
 *    208  bytes in all
 * </pre>
 */
public final class RxeBindWr {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    private static final int ADDR = 24;
    private static final int LENGTH = 32;
    private static final int MR_LKEY = 40;
    private static final int MW_RKEY = 44;
    private static final int RKEY = 48;
    private static final int ACCESS = 52;

    private RxeBindWr() {}

    /** First address of the window. */
    public static long addr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + ADDR);
    }

    /** Stores {@link #addr}. */
    public static void setAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + ADDR, value);
    }

    /** Bytes. */
    public static long length(MemorySegment segment, long at) {
        return Host.getLong(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + LENGTH, value);
    }

    /** Local key of the memory region under the window. */
    public static int mrLkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MR_LKEY);
    }

    /** Stores {@link #mrLkey}. */
    public static void setMrLkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MR_LKEY, value);
    }

    /** Present key of the window. */
    public static int mwRkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MW_RKEY);
    }

    /** Stores {@link #mwRkey}. */
    public static void setMwRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MW_RKEY, value);
    }

    /** Next key of the window. */
    public static int rkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RKEY);
    }

    /** Stores {@link #rkey}. */
    public static void setRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RKEY, value);
    }

    /** See {@code AccessFlag}. */
    public static int access(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ACCESS);
    }

    /** Stores {@link #access}. */
    public static void setAccess(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ACCESS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_send_wqe", SIZE)
                .u64("wr.wr.mw.addr", ADDR)
                .u64("wr.wr.mw.length", LENGTH)
                .u32("wr.wr.mw.mr_lkey", MR_LKEY)
                .u32("wr.wr.mw.mw_rkey", MW_RKEY)
                .u32("wr.wr.mw.rkey", RKEY)
                .u32("wr.wr.mw.access", ACCESS);
    }
}
