package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * RESOLVE_ADDR finds the device, the port and the GIDs for an address; ADDR_RESOLVED or ADDR_ERROR follow.
 *
 * <pre>
 *   struct rdma_ucm_resolve_addr
 *      0  u32      id          the identifier
 *      4  u32      timeout_ms  how long it may take
 *      8  u16      src_size    bytes of the own address; 0 for none
 *     10  u16      dst_size    bytes of the address of the peer
 *     12  u8[4]    reserved    0
 *     16  u8[128]  src_addr    own address
 *    144  u8[128]  dst_addr    address of the peer
 *    272  bytes in all
 * </pre>
 */
public final class CmResolveAddr {
    /** Bytes of the struct. */
    public static final int SIZE = 272;

    /** Where the field src_addr lies in this struct: own address. */
    public static final int SRC_ADDR = 16;

    /** Where the field dst_addr lies in this struct: address of the peer. */
    public static final int DST_ADDR = 144;

    private static final int ID = 0;
    private static final int TIMEOUT_MS = 4;
    private static final int SRC_SIZE = 8;
    private static final int DST_SIZE = 10;

    private CmResolveAddr() {}

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

    /** Bytes of the own address; 0 for none. */
    public static int srcSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SRC_SIZE);
    }

    /** Stores {@link #srcSize}. */
    public static void setSrcSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SRC_SIZE, value);
    }

    /** Bytes of the address of the peer. */
    public static int dstSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + DST_SIZE);
    }

    /** Stores {@link #dstSize}. */
    public static void setDstSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + DST_SIZE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_resolve_addr", SIZE)
                .u32("id", ID)
                .u32("timeout_ms", TIMEOUT_MS)
                .u16("src_size", SRC_SIZE)
                .u16("dst_size", DST_SIZE)
                .reserved("reserved", 12, 4)
                .bytes("src_addr", SRC_ADDR, 128)
                .bytes("dst_addr", DST_ADDR, 128);
    }
}
