package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which way the system would send. */
final class SystemRoutes {
    private SystemRoutes() {}

    /**
     * The one of some addresses of this host from which packets to a destination go; null if there is none.
     *
     * @param scope the interface of a link-local destination; 0 for none
     */
    static @Nullable InetAddress source(List<InetAddress> own, Gid destination, int scope) {
        InetAddress target =
                scope == 0 ? destination.toInetAddress() : LocalAddresses.scoped(destination.toInetAddress(), scope);
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

    /** The source address that the system would choose; null where it knows no way. */
    private static @Nullable InetAddress systemSource(InetAddress target) {
        StandardProtocolFamily family =
                target instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (DatagramChannel channel = DatagramChannel.open(family)) {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(target, Icrc.PORT));
            return channel.getLocalAddress() instanceof InetSocketAddress local ? local.getAddress() : null;
        } catch (IOException | UnresolvedAddressException | UnsupportedAddressTypeException | SecurityException noWay) {
            return null;
        }
    }
}
