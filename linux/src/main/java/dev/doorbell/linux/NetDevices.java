package dev.doorbell.linux;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;

/** The network devices that this process sees. */
interface NetDevices {
    /** Those of this process's network namespace. */
    NetDevices LOCAL = NetDevices::isLocal;

    /**
     * Whether the network device that a GID belongs to is one of these. Names do not tell: sysfs shows the GIDs of
     * every namespace, and each may have its own {@code eth0}.
     */
    boolean owns(String name, Gid gid);

    /** The name, if the network device that a GID belongs to is one of these; otherwise empty. */
    default String ifOwned(String name, Gid gid) {
        return !name.isEmpty() && owns(name, gid) ? name : "";
    }

    /** The name of the one with this number; empty if there is none. Numbers do not tell either: each namespace counts anew. */
    default String name(int index) {
        try {
            NetworkInterface device = index <= 0 ? null : NetworkInterface.getByIndex(index);
            return device == null ? "" : device.getName();
        } catch (SocketException e) {
            return "";
        }
    }

    private static boolean isLocal(String name, Gid gid) {
        try {
            NetworkInterface device = NetworkInterface.getByName(name);
            return device != null && (hasAddress(device, gid) || isMadeFromMac(device, gid));
        } catch (SocketException e) {
            return false;
        }
    }

    private static boolean hasAddress(NetworkInterface device, Gid gid) {
        for (InetAddress address : Collections.list(device.getInetAddresses())) {
            if (Gid.of(address).equals(gid)) {
                return true;
            }
        }
        return false;
    }

    /** Each port has a link-local GID made from its Ethernet address, whether or not the network device has that too. */
    private static boolean isMadeFromMac(NetworkInterface device, Gid gid) throws SocketException {
        byte[] mac = device.getHardwareAddress();
        return gid.isLinkLocal()
                && mac != null
                && mac.length == 6
                && Guid.ofMac(mac).value() == gid.low();
    }
}
