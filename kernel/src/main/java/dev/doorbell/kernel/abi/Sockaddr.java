package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** A socket address of any family in a field for one, as {@link SockaddrIn} or {@link SockaddrIn6}. */
public final class Sockaddr {
    private static final int FAMILY = 0;

    private Sockaddr() {}

    /** The family: {@link CmIds#AF_INET} and others; 0 for an empty field. */
    public static int family(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + FAMILY);
    }

    /**
     * Stores an address, which must be resolved. A link-local IPv6 address keeps its scope.
     *
     * @return the bytes of the struct that was stored: 16 or 28
     */
    public static int set(MemorySegment segment, long at, InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        byte[] bytes = ip.getAddress();
        if (ip instanceof Inet6Address six) {
            segment.asSlice(at, SockaddrIn6.SIZE).fill((byte) 0);
            SockaddrIn6.setFamily(segment, at, CmIds.AF_INET6);
            SockaddrIn6.setPort(segment, at, address.getPort());
            SockaddrIn6.setAddress(segment, at, Gid.of(bytes));
            SockaddrIn6.setScopeId(segment, at, six.getScopeId());
            return SockaddrIn6.SIZE;
        }
        segment.asSlice(at, SockaddrIn.SIZE).fill((byte) 0);
        SockaddrIn.setFamily(segment, at, CmIds.AF_INET);
        SockaddrIn.setPort(segment, at, address.getPort());
        SockaddrIn.setAddress(segment, at, (int) Gid.of(ip).low());
        return SockaddrIn.SIZE;
    }

    /** The address in a field; null if it holds none, or one that is no IP address. */
    public static @Nullable InetSocketAddress get(MemorySegment segment, long at) {
        return switch (family(segment, at)) {
            case CmIds.AF_INET ->
                new InetSocketAddress(
                        Gid.ofIpv4(SockaddrIn.address(segment, at)).toInetAddress(), SockaddrIn.port(segment, at));
            case CmIds.AF_INET6 -> new InetSocketAddress(six(segment, at), SockaddrIn6.port(segment, at));
            default -> null;
        };
    }

    private static InetAddress six(MemorySegment segment, long at) {
        byte[] bytes = SockaddrIn6.address(segment, at).toBytes();
        int scope = SockaddrIn6.scopeId(segment, at);
        try {
            // Keeps an IPv4-mapped address in its IPv6 form, which InetAddress would not.
            return Inet6Address.getByAddress(null, bytes, scope == 0 ? -1 : scope);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** The address in a field for people. */
    public static String print(MemorySegment segment, long at) {
        return switch (family(segment, at)) {
            case 0 -> "none";
            case CmIds.AF_INET, CmIds.AF_INET6 -> String.valueOf(get(segment, at));
            case CmIds.AF_IB ->
                SockaddrIb.gid(segment, at) + " service " + Long.toHexString(SockaddrIb.serviceId(segment, at));
            default -> "family " + family(segment, at) + ", port " + Be.getUnsignedShort(segment, at + 2);
        };
    }
}
