package dev.doorbell.soft;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A device's name and where it is.
 *
 * @param name the device's name
 * @param netDevice the network interface that it belongs to
 * @param addresses its addresses, at least one
 */
record DeviceAddress(String name, String netDevice, List<InetAddress> addresses) {
    private static final String LOOPBACK = "lo";
    private static final int PORT = 1;

    DeviceAddress {
        addresses = List.copyOf(addresses);
    }

    /** A device at one address, and on the interface that has it. */
    static DeviceAddress at(String name, InetAddress address) {
        return new DeviceAddress(name, interfaceOf(address), List.of(address));
    }

    private static String interfaceOf(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return LOOPBACK;
        }
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null ? "" : found.getName();
        } catch (SocketException e) {
            return "";
        }
    }

    /** A GUID that is the same in every run: made from a locally administered MAC that holds the first address's end. */
    Guid guid() {
        byte[] bytes = addresses.getFirst().getAddress();
        byte[] mac = new byte[6];
        mac[0] = 0x02;
        mac[1] = (byte) (bytes.length == 4 ? 0xdb : 0xd6);
        ByteBuffer.wrap(mac).put(2, bytes, bytes.length - 4, 4);
        return Guid.ofMac(mac);
    }

    /** The GID table: the link-local GID of the GUID, then one entry for each address. */
    List<GidEntry> gids() {
        List<GidEntry> table = new ArrayList<>();
        table.add(new GidEntry(PORT, 0, Gid.linkLocal(guid().value()), GidType.ROCE_V2, netDevice));
        for (InetAddress address : addresses) {
            table.add(new GidEntry(PORT, table.size(), Gid.of(address), GidType.ROCE_V2, netDevice));
        }
        return List.copyOf(table);
    }
}
