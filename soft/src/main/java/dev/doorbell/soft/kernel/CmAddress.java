package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.kernel.abi.SockaddrIn;
import dev.doorbell.kernel.abi.SockaddrIn6;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An IP address with a port, as commands have it.
 *
 * @param ipv6 the family
 * @param gid the address; an IPv4 address as a mapped one
 * @param port the port; 0 for any
 * @param scope the interface of a link-local address; 0 for none
 */
record CmAddress(boolean ipv6, Gid gid, int port, int scope) {
    /** Any IPv4 address. */
    static final CmAddress ANY = new CmAddress(false, Gid.ofIpv4(0), 0, 0);

    private static final int LOOPBACK_NET = 127;

    /** The address of a device. */
    static CmAddress of(Gid gid, int port) {
        return new CmAddress(!gid.isIpv4Mapped(), gid, port, 0);
    }

    /** Reads an address that should have this many bytes; null if it is none. */
    static @Nullable CmAddress read(MemorySegment segment, long at, int size) {
        return switch (Sockaddr.family(segment, at)) {
            case CmIds.AF_INET ->
                size == SockaddrIn.SIZE
                        ? new CmAddress(
                                false, Gid.ofIpv4(SockaddrIn.address(segment, at)), SockaddrIn.port(segment, at), 0)
                        : null;
            case CmIds.AF_INET6 -> size == SockaddrIn6.SIZE ? readIpv6(segment, at) : null;
            default -> null;
        };
    }

    /** Reads an address in a field for an IPv6 address, as the older commands have it; null if it is none. */
    static @Nullable CmAddress readOld(MemorySegment segment, long at) {
        return read(segment, at, Sockaddr.family(segment, at) == CmIds.AF_INET ? SockaddrIn.SIZE : SockaddrIn6.SIZE);
    }

    private static CmAddress readIpv6(MemorySegment segment, long at) {
        Gid gid = SockaddrIn6.address(segment, at);
        int scope = gid.isLinkLocal() ? SockaddrIn6.scopeId(segment, at) : 0;
        return new CmAddress(true, gid, SockaddrIn6.port(segment, at), scope);
    }

    /** Writes the address and returns its bytes. */
    int write(MemorySegment segment, long at) {
        if (ipv6) {
            SockaddrIn6.setFamily(segment, at, CmIds.AF_INET6);
            SockaddrIn6.setPort(segment, at, port);
            SockaddrIn6.setAddress(segment, at, gid);
            SockaddrIn6.setScopeId(segment, at, scope);
            return SockaddrIn6.SIZE;
        }
        SockaddrIn.setFamily(segment, at, CmIds.AF_INET);
        SockaddrIn.setPort(segment, at, port);
        SockaddrIn.setAddress(segment, at, (int) gid.low());
        return SockaddrIn.SIZE;
    }

    /** Whether it stands for all addresses. */
    boolean isAny() {
        return ipv6 ? gid.isZero() : (int) gid.low() == 0;
    }

    boolean isLoopback() {
        return ipv6 ? gid.high() == 0 && gid.low() == 1 : ((int) gid.low() >>> 24) == LOOPBACK_NET;
    }

    /** A link-local address is only complete with its interface. */
    boolean lacksScope() {
        return ipv6 && gid.isLinkLocal() && scope == 0;
    }

    CmAddress withPort(int value) {
        return new CmAddress(ipv6, gid, value, scope);
    }

    CmAddress withGid(Gid value) {
        return new CmAddress(ipv6, value, port, scope);
    }

    @Override
    public String toString() {
        return gid + " port " + port;
    }
}
