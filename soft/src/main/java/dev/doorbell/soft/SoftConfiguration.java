package dev.doorbell.soft;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the environment variable DOORBELL_SOFT: devices with their addresses, such as
 * {@code soft0@127.0.0.1,soft1@eth1}. Behind the {@code @} stands an IP address or the name of a network interface. And
 * DOORBELL_SOFT_MLX5: further devices, which present themselves as mlx5.
 */
final class SoftConfiguration {
    static final String VARIABLE = "DOORBELL_SOFT";

    /** The value that asks for no devices. */
    static final String OFF = "off";

    static final String MLX5_VARIABLE = "DOORBELL_SOFT_MLX5";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,62}");

    private SoftConfiguration() {}

    /**
     * The devices that a text names, none if it is {@link #OFF}.
     *
     * @throws IllegalArgumentException with what is wrong and how it should look
     */
    static List<DeviceAddress> parse(String text) {
        if (text.strip().equals(OFF)) {
            return List.of();
        }
        List<DeviceAddress> devices = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<InetAddress> addresses = new HashSet<>();
        for (String part : text.split(",", -1)) {
            DeviceAddress device = device(part.strip());
            if (!names.add(device.name())) {
                throw wrong("names the device " + device.name() + " twice");
            }
            for (InetAddress address : device.addresses()) {
                if (!addresses.add(address)) {
                    throw wrong("gives the address " + address.getHostAddress() + " to two devices");
                }
            }
            devices.add(device);
        }
        return devices;
    }

    /**
     * The devices that present themselves as mlx5, from DOORBELL_SOFT_MLX5: as in {@link #parse}, or a name alone for the
     * first free loopback address.
     *
     * @throws IllegalArgumentException with what is wrong and how it should look
     */
    static List<DeviceAddress> parseMlx5(String text) {
        if (NAME.matcher(text.strip()).matches()) {
            return List.of(DeviceAddress.anywhere(text.strip()));
        }
        try {
            return parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(MLX5_VARIABLE + ", which reads like " + wrong.getMessage(), wrong);
        }
    }

    private static DeviceAddress device(String part) {
        int at = part.indexOf('@');
        if (at < 0) {
            throw wrong("has the entry '" + part + "' without an address");
        }
        String name = part.substring(0, at);
        if (!NAME.matcher(name).matches()) {
            throw wrong("has the device name '" + name + "'; a name is a letter, then letters, digits, '_', '.', '-'");
        }
        String place = part.substring(at + 1);
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(place);
        } catch (IllegalArgumentException notAnAddress) {
            return onInterface(name, place);
        }
        return DeviceAddress.at(name, checked(address));
    }

    private static InetAddress checked(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw wrong("gives a device the address " + address.getHostAddress() + ", which no single host has");
        }
        return address;
    }

    private static DeviceAddress onInterface(String name, String place) {
        try {
            NetworkInterface found = place.isEmpty() ? null : NetworkInterface.getByName(place);
            if (found == null) {
                throw wrong("places " + name + " at '" + place + "', which is neither an IP address nor an interface");
            }
            List<InetAddress> all = found.inetAddresses().toList();
            List<InetAddress> wide = all.stream()
                    .filter(address -> !address.isLinkLocalAddress())
                    .toList();
            List<InetAddress> addresses = wide.isEmpty() ? all : wide;
            if (addresses.isEmpty()) {
                throw wrong("places " + name + " at " + place + ", which has no address: give it one, or name another");
            }
            return new DeviceAddress(name, found.getName(), addresses);
        } catch (SocketException e) {
            throw wrong("places " + name + " at " + place + ", whose addresses cannot be read: " + e.getMessage());
        }
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(
                VARIABLE + " " + what
                        + "; it lists devices as name@address or name@interface, such as soft0@127.0.0.1,soft1@127.0.0.2, or is off");
    }
}
