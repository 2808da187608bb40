package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link RxeSendWqe} that RDMA WRITE, RDMA READ and ATOMIC WRITE have. Offsets count from the start of
 * the work request.
 *
 * <pre>
 *   struct rxe_send_wqe
 *     24  u64    wr.wr.rdma.remote_addr  address at the peer
 *     32  u32    wr.wr.rdma.rkey         key of the peer's memory
 *     36  u32    wr.wr.rdma.reserved     0
 *    208  bytes in all
 * </pre>
 */
public final class RxeRdmaWr {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    private static final int REMOTE_ADDR = 24;
    private static final int RKEY = 32;

    private RxeRdmaWr() {}

    /** Address at the peer. */
    public static long remoteAddr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + REMOTE_ADDR);
    }

    /** Stores {@link #remoteAddr}. */
    public static void setRemoteAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + REMOTE_ADDR, value);
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
                .u64("wr.wr.rdma.remote_addr", REMOTE_ADDR)
                .u32("wr.wr.rdma.rkey", RKEY)
                .reserved("wr.wr.rdma.reserved", 36, 4);
    }
}
