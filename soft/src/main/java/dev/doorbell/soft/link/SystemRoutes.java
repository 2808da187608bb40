package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which way the system would send. */
final class SystemRoutes {
    /** Any port: nothing is sent. */
    private static final int PORT = 4791;

    private SystemRoutes() {}

    /**
     * The one of some addresses of this host from which packets to a destination go; null if there is none.
     *
     * @param scope the interface of a link-local destination; 0 for none
     */
    static @Nullable InetAddress source(List<InetAddress> own, Gid destination, int scope) {
        InetAddress target = scoped(destination, scope);
        InetAddress chosen = systemSource(target);
        if (chosen == null) {
            return null;
        }
        for (InetAddress address : own) {
            if (address.equals(chosen)) {
                return address;
            }
        }
        // The system prefers another of its addresses; one on the same interface reaches as far.
        NetworkInterface way = LocalAddresses.interfaceOf(chosen);
        for (InetAddress address : own) {
            boolean sameFamily = address.getAddress().length == chosen.getAddress().length;
            boolean sameReach = address.isLinkLocalAddress() == target.isLinkLocalAddress();
            if (sameFamily && sameReach && way != null && way.equals(LocalAddresses.interfaceOf(address))) {
                return address;
            }
        }
        return null;
    }

    private static InetAddress scoped(Gid destination, int scope) {
        InetAddress plain = destination.toInetAddress();
        if (scope == 0 || !(plain instanceof Inet6Address)) {
            return plain;
        }
        try {
            return Inet6Address.getByAddress(null, destination.toBytes(), scope);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always an address", e);
        }
    }

    /** The source address that the system would choose; null where it knows no way. */
    private static @Nullable InetAddress systemSource(InetAddress target) {
        StandardProtocolFamily family =
                target instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (DatagramChannel channel = DatagramChannel.open(family)) {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(target, PORT));
            return channel.getLocalAddress() instanceof InetSocketAddress local ? local.getAddress() : null;
        } catch (IOException | UnresolvedAddressException | UnsupportedAddressTypeException | SecurityException noWay) {
            return null;
        }
    }
}
