package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the network interfaces of this host say about its addresses. */
final class LocalAddresses {
    /** What rxe takes off an interface's MTU for all headers. */
    private static final int HEADERS = 80;

    /** The longest headers around a payload: IPv6, UDP, BTH, RETH, immediate data and ICRC. For these, rxe's number is too small. */
    private static final int HEADERS_OF_IPV6 = 40 + 8 + 12 + 16 + 4 + 4;

    private LocalAddresses() {}

    /** The path MTU that all interfaces of these addresses carry (rule 1.5); the largest where there are none. */
    static Mtu mtu(List<InetAddress> addresses) {
        int smallest = Integer.MAX_VALUE;
        boolean ipv6 = false;
        for (InetAddress address : addresses) {
            smallest = Math.min(smallest, interfaceMtu(address));
            ipv6 |= address instanceof Inet6Address;
        }
        return mtu(smallest, ipv6);
    }

    /** The path MTU that fits into IP packets of so many bytes; the smallest if none does, as with rxe. */
    static Mtu mtu(int packetBytes, boolean ipv6) {
        int headers = ipv6 ? HEADERS_OF_IPV6 : HEADERS;
        Mtu fitting = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            if (mtu.bytes() + headers <= packetBytes) {
                fitting = mtu;
            }
        }
        return fitting;
    }

    private static int interfaceMtu(InetAddress address) {
        try {
            NetworkInterface found = interfaceWith(address);
            return found == null ? Integer.MAX_VALUE : found.getMTU();
        } catch (SocketException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** The interface of an address; null if none has it. */
    static @Nullable NetworkInterface interfaceOf(InetAddress address) {
        try {
            return interfaceWith(address);
        } catch (SocketException e) {
            return null;
        }
    }

    /**
     * The interface of an address; all of 127/8 is on the loopback interface. A link-local address is looked for on the
     * interface that its scope names, by name where it has one: the number is another after the interface was made anew.
     */
    static @Nullable NetworkInterface interfaceWith(InetAddress address) throws SocketException {
        if (address instanceof Inet6Address scoped && scoped.getScopeId() != 0) {
            NetworkInterface named = scoped.getScopedInterface();
            NetworkInterface scope = named == null
                    ? NetworkInterface.getByIndex(scoped.getScopeId())
                    : NetworkInterface.getByName(named.getName());
            return scope != null && has(scope, scoped) ? scope : null;
        }
        NetworkInterface found = NetworkInterface.getByInetAddress(address);
        return found == null && address.isLoopbackAddress()
                ? NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                : found;
    }

    private static boolean has(NetworkInterface scope, Inet6Address address) {
        return scope.inetAddresses().anyMatch(own -> Arrays.equals(own.getAddress(), address.getAddress()));
    }

    /** An address with the number of the interface that it is on now, where it needs one. */
    static InetAddress scoped(InetAddress address, int interfaceIndex) {
        return address instanceof Inet6Address && address.isLinkLocalAddress()
                ? scoped(address.getAddress(), interfaceIndex)
                : address;
    }

    private static InetAddress scoped(byte[] address, int interfaceIndex) {
        try {
            return Inet6Address.getByAddress(null, address, interfaceIndex);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always an address", e);
        }
    }

    /**
     * The address of a multicast group, with the interface where it needs one: groups of an interface or a link (RFC 4291,
     * scopes 1 and 2) exist once on each.
     */
    static InetAddress group(Gid group, int interfaceIndex) {
        int scope = (int) (group.high() >>> 48) & 0xf;
        return !group.isIpv4Mapped() && (scope == 1 || scope == 2)
                ? scoped(group.toBytes(), interfaceIndex)
                : group.toInetAddress();
    }

    /** A link-local address, with the scope that another one has. */
    static InetAddress onInterfaceOf(InetAddress own, Gid linkLocal) {
        if (!(own instanceof Inet6Address scoped)) {
            return linkLocal.toInetAddress();
        }
        return scoped(linkLocal.toBytes(), scoped.getScopeId());
    }
}
