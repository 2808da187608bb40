package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * An IPv4 address with a port.
 *
 * <pre>
 *   struct sockaddr_in
 *      0  u16    sin_family  {@link CmIds#AF_INET}
 *      2  be16   sin_port    port
 *      4  be32   sin_addr    address
 *      8  u8[8]  __pad       0
 *     16  bytes in all
 * </pre>
 */
public final class SockaddrIn {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int SIN_FAMILY = 0;
    private static final int SIN_PORT = 2;
    private static final int SIN_ADDR = 4;

    private SockaddrIn() {}

    /** {@link CmIds#AF_INET}. */
    public static int family(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SIN_FAMILY);
    }

    /** Stores {@link #family}. */
    public static void setFamily(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SIN_FAMILY, value);
    }

    /** Port. */
    public static int port(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + SIN_PORT);
    }

    /** Stores {@link #port}. */
    public static void setPort(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + SIN_PORT, value);
    }

    /** Address. */
    public static int address(MemorySegment segment, long at) {
        return Be.getInt(segment, at + SIN_ADDR);
    }

    /** Stores {@link #address}. */
    public static void setAddress(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + SIN_ADDR, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("sockaddr_in", SIZE)
                .u16("sin_family", SIN_FAMILY)
                .be16("sin_port", SIN_PORT)
                .be32("sin_addr", SIN_ADDR)
                .reserved("__pad", 8, 8);
    }
}
