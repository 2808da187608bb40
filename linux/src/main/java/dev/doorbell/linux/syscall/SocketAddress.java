package dev.doorbell.linux.syscall;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * The structs {@code sockaddr_in} and {@code sockaddr_in6}.
 *
 * <pre>
 *   IPv4   0 family 2, host order │ 2 port │ 4 address 4 │ 8 zero
 *   IPv6   0 family 2, host order │ 2 port │ 4 flow 4    │ 8 address 16 │ 24 scope 4, host order
 * </pre>
 */
final class SocketAddress {
    static final int SIZE = 28;
    static final int INET = 2;
    static final int INET6 = 10;

    private static final int INET_SIZE = 16;
    private static final int PORT = 2;
    private static final int ADDRESS4 = 4;
    private static final int ADDRESS6 = 8;
    private static final int SCOPE = 24;
    private static final long MAPPED_PREFIX = 0xffffL << 32;

    private SocketAddress() {}

    static int family(InetAddress address) {
        return address instanceof Inet4Address ? INET : INET6;
    }

    /** Writes an address; the bytes that it has. */
    static int write(MemorySegment segment, long at, InetAddress address, int port) {
        segment.asSlice(at, SIZE).fill((byte) 0);
        Host.setShort(segment, at, family(address));
        Be.setShort(segment, at + PORT, port);
        byte[] bytes = address.getAddress();
        long place = at + (bytes.length == Integer.BYTES ? ADDRESS4 : ADDRESS6);
        for (int i = 0; i < bytes.length; i++) {
            Be.setByte(segment, place + i, bytes[i]);
        }
        if (address instanceof Inet6Address six) {
            Host.setInt(segment, at + SCOPE, six.getScopeId());
            return SIZE;
        }
        return INET_SIZE;
    }

    static int port(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + PORT);
    }

    /** The first eight bytes of the address; IPv4 addresses are mapped into IPv6. */
    static long high(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at) == INET6 ? Be.getLong(segment, at + ADDRESS6) : 0;
    }

    /** The last eight bytes of the address. */
    static long low(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at) == INET6
                ? Be.getLong(segment, at + ADDRESS6 + Long.BYTES)
                : MAPPED_PREFIX | Be.getUnsignedInt(segment, at + ADDRESS4);
    }
}
