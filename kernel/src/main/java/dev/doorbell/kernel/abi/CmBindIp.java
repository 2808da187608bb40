package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * BIND_IP binds an identifier to an address, in its older form; new programs use BIND.
 *
 * <pre>
 *   struct rdma_ucm_bind_ip
 *      0  u64   response  address of the answer, left to the carrier
 *      8  28 B  addr      {@link SockaddrIn6}, or {@link SockaddrIn}
 *     36  u32   id        the identifier
 *     40  bytes in all
 * </pre>
 */
public final class CmBindIp {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    /** Where the {@link SockaddrIn6} addr lies in this struct. */
    public static final int ADDR = 8;

    private static final int RESPONSE = 0;
    private static final int ID = 36;

    private CmBindIp() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_bind_ip", SIZE)
                .u64("response", RESPONSE)
                .struct("addr", ADDR, SockaddrIn6.layout())
                .u32("id", ID);
    }
}
