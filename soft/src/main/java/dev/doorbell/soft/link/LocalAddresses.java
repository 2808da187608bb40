package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the network interfaces of this host say about its addresses. */
final class LocalAddresses {
    /** What the kernel's RDMA core takes off an interface's MTU for all headers. */
    private static final int HEADERS = 96;

    private LocalAddresses() {}

    /** The path MTU that all interfaces of these addresses carry (rule 1.5); the smallest where they carry none. */
    static Mtu mtu(List<InetAddress> addresses) {
        int smallest = Integer.MAX_VALUE;
        for (InetAddress address : addresses) {
            smallest = Math.min(smallest, interfaceMtu(address));
        }
        Mtu fitting = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            if (mtu.bytes() + HEADERS <= smallest) {
                fitting = mtu;
            }
        }
        return fitting;
    }

    private static int interfaceMtu(InetAddress address) {
        try {
            NetworkInterface found = find(address);
            return found == null ? Integer.MAX_VALUE : found.getMTU();
        } catch (SocketException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** The index of the interface that has an address; 0 if there is none, which leaves the choice to the system. */
    static int interfaceIndex(InetAddress address) {
        try {
            NetworkInterface found = find(address);
            return found == null ? 0 : found.getIndex();
        } catch (SocketException e) {
            return 0;
        }
    }

    /** The interface of an address; null if none has it. */
    static @Nullable NetworkInterface interfaceOf(InetAddress address) {
        try {
            return find(address);
        } catch (SocketException e) {
            return null;
        }
    }

    /** The interface of an address; all of 127/8 is on the loopback interface. */
    private static @Nullable NetworkInterface find(InetAddress address) throws SocketException {
        NetworkInterface found = NetworkInterface.getByInetAddress(address);
        return found == null && address.isLoopbackAddress()
                ? NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                : found;
    }

    /** A link-local address, with the scope that another one has. */
    static InetAddress onInterfaceOf(InetAddress own, Gid linkLocal) {
        if (!(own instanceof Inet6Address scoped)) {
            return linkLocal.toInetAddress();
        }
        try {
            return Inet6Address.getByAddress(null, linkLocal.toBytes(), scoped.getScopeId());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always an address", e);
        }
    }
}
