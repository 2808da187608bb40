package dev.doorbell.soft;

import dev.doorbell.soft.kernel.Placement;
import dev.doorbell.spec.Gid;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * A device's name and where it is.
 *
 * @param name the device's name
 * @param netDevice the network interface that it belongs to
 * @param addresses its addresses; none for the first free loopback address
 */
record DeviceAddress(String name, String netDevice, List<InetAddress> addresses) {
    private static final String LOOPBACK = "lo";
    private static final InetAddress FIRST = InetAddress.ofLiteral("127.0.0.1");

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

    /** The device {@code name} at the first free loopback address, which shows when it is opened. */
    static DeviceAddress anywhere(String name) {
        return new DeviceAddress(name, LOOPBACK, List.of());
    }

    /** Where that places the device. */
    Placement placement() {
        List<InetAddress> places = addresses.isEmpty() ? List.of(FIRST) : addresses;
        return Placement.at(places.stream().map(Gid::of).toList(), netDevice);
    }
}
