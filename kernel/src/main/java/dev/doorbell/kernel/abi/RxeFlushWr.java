package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link RxeSendWqe} that FLUSH has, on kernels from 6.2. Offsets count from the start of the work
 * request.
 *
 * <pre>
 *   struct rxe_send_wqe
 *     24  u64    wr.wr.flush.remote_addr  address at the peer
 *     32  u32    wr.wr.flush.length       bytes
 *     36  u32    wr.wr.flush.rkey         key of the peer's memory
 *     40  u8     wr.wr.flush.type         placement: 1 globally visible, 2 persistent
 *     41  u8     wr.wr.flush.level        0 a range, 1 the whole memory region
 *    208  bytes in all
 * </pre>
 */
public final class RxeFlushWr {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    private static final int REMOTE_ADDR = 24;
    private static final int LENGTH = 32;
    private static final int RKEY = 36;
    private static final int TYPE = 40;
    private static final int LEVEL = 41;

    private RxeFlushWr() {}

    /** Address at the peer. */
    public static long remoteAddr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + REMOTE_ADDR);
    }

    /** Stores {@link #remoteAddr}. */
    public static void setRemoteAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + REMOTE_ADDR, value);
    }

    /** Bytes. */
    public static long length(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + LENGTH, (int) value);
    }

    /** Key of the peer's memory. */
    public static int rkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RKEY);
    }

    /** Stores {@link #rkey}. */
    public static void setRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RKEY, value);
    }

    /** Placement: 1 globally visible, 2 persistent. */
    public static int type(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + TYPE);
    }

    /** Stores {@link #type}. */
    public static void setType(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + TYPE, value);
    }

    /** 0 a range, 1 the whole memory region. */
    public static int level(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + LEVEL);
    }

    /** Stores {@link #level}. */
    public static void setLevel(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + LEVEL, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_send_wqe", SIZE)
                .u64("wr.wr.flush.remote_addr", REMOTE_ADDR)
                .u32("wr.wr.flush.length", LENGTH)
                .u32("wr.wr.flush.rkey", RKEY)
                .u8("wr.wr.flush.type", TYPE)
                .u8("wr.wr.flush.level", LEVEL);
    }
}
