package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * An IPv6 address with a port.
 *
 * <pre>
 *   struct sockaddr_in6
 *      0  u16    sin6_family    {@link CmIds#AF_INET6}
 *      2  be16   sin6_port      port
 *      4  be32   sin6_flowinfo  flow label and traffic class
 *      8  be128  sin6_addr      address
 *     24  u32    sin6_scope_id  index of the interface of a link-local address, 0 otherwise
 *     28  bytes in all
 * </pre>
 */
public final class SockaddrIn6 {
    /** Bytes of the struct. */
    public static final int SIZE = 28;

    private static final int SIN6_FAMILY = 0;
    private static final int SIN6_PORT = 2;
    private static final int SIN6_FLOWINFO = 4;
    private static final int SIN6_ADDR = 8;
    private static final int SIN6_SCOPE_ID = 24;

    private SockaddrIn6() {}

    /** {@link CmIds#AF_INET6}. */
    public static int family(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SIN6_FAMILY);
    }

    /** Stores {@link #family}. */
    public static void setFamily(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SIN6_FAMILY, value);
    }

    /** Port. */
    public static int port(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + SIN6_PORT);
    }

    /** Stores {@link #port}. */
    public static void setPort(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + SIN6_PORT, value);
    }

    /** Flow label and traffic class. */
    public static int flowInfo(MemorySegment segment, long at) {
        return Be.getInt(segment, at + SIN6_FLOWINFO);
    }

    /** Stores {@link #flowInfo}. */
    public static void setFlowInfo(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + SIN6_FLOWINFO, value);
    }

    /** Address. */
    public static Gid address(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + SIN6_ADDR), Be.getLong(segment, at + SIN6_ADDR + 8));
    }

    /** Stores {@link #address}. */
    public static void setAddress(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + SIN6_ADDR, value.high());
        Be.setLong(segment, at + SIN6_ADDR + 8, value.low());
    }

    /** Index of the interface of a link-local address, 0 otherwise. */
    public static int scopeId(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SIN6_SCOPE_ID);
    }

    /** Stores {@link #scopeId}. */
    public static void setScopeId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SIN6_SCOPE_ID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("sockaddr_in6", SIZE)
                .u16("sin6_family", SIN6_FAMILY)
                .be16("sin6_port", SIN6_PORT)
                .be32("sin6_flowinfo", SIN6_FLOWINFO)
                .gid("sin6_addr", SIN6_ADDR)
                .u32("sin6_scope_id", SIN6_SCOPE_ID);
    }
}
