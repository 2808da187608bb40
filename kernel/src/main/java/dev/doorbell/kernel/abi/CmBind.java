package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * BIND binds an identifier to an address.
 *
 * <pre>
 *   struct rdma_ucm_bind
 *      0  u32      id         the identifier
 *      4  u16      addr_size  bytes of the address
 *      6  u8[2]    reserved   0
 *      8  u8[128]  addr       {@link SockaddrIn} or {@link SockaddrIn6}
 *    136  bytes in all
 * </pre>
 */
public final class CmBind {
    /** Bytes of the struct. */
    public static final int SIZE = 136;

    /** Where the field addr lies in this struct: {@link SockaddrIn} or {@link SockaddrIn6}. */
    public static final int ADDR = 8;

    private static final int ID = 0;
    private static final int ADDR_SIZE = 4;

    private CmBind() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Bytes of the address. */
    public static int addrSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + ADDR_SIZE);
    }

    /** Stores {@link #addrSize}. */
    public static void setAddrSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + ADDR_SIZE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_bind", SIZE)
                .u32("id", ID)
                .u16("addr_size", ADDR_SIZE)
                .reserved("reserved", 6, 2)
                .bytes("addr", ADDR, 128);
    }
}
