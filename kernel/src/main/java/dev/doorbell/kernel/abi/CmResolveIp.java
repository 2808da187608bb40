package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * RESOLVE_IP resolves an address, in its older form; new programs use RESOLVE_ADDR.
 *
 * <pre>
 *   struct rdma_ucm_resolve_ip
 *      0  28 B  src_addr    own address; family 0 for none
 *     28  28 B  dst_addr    address of the peer
 *     56  u32   id          the identifier
 *     60  u32   timeout_ms  how long it may take
 *     64  bytes in all
 * </pre>
 */
public final class CmResolveIp {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    /** Where the {@link SockaddrIn6} src_addr lies in this struct. */
    public static final int SRC_ADDR = 0;

    /** Where the {@link SockaddrIn6} dst_addr lies in this struct. */
    public static final int DST_ADDR = 28;

    private static final int ID = 56;
    private static final int TIMEOUT_MS = 60;

    private CmResolveIp() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** How long it may take. */
    public static int timeoutMs(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TIMEOUT_MS);
    }

    /** Stores {@link #timeoutMs}. */
    public static void setTimeoutMs(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TIMEOUT_MS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_resolve_ip", SIZE)
                .struct("src_addr", SRC_ADDR, SockaddrIn6.layout())
                .struct("dst_addr", DST_ADDR, SockaddrIn6.layout())
                .u32("id", ID)
                .u32("timeout_ms", TIMEOUT_MS);
    }
}
