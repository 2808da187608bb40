package dev.doorbell.soft.link;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link UdpLink} shall be.
 *
 * @param addresses the addresses to bind, all or none; empty for the first free one of 127.0.0.1, 127.0.0.2 and so on
 * @param carrier what carries the datagrams
 * @param segmentation whether the system may be asked to cut a send into datagrams, and to join arriving ones
 * @param bufferBytes what is asked for as socket buffers; the system may give less
 * @param host whose addresses they are, and what the link follows when they go and come back
 */
public record UdpPlan(
        List<InetAddress> addresses, Carrier carrier, boolean segmentation, int bufferBytes, HostAddresses host) {
    /** Enough for several windows of the largest packets. */
    public static final int DEFAULT_BUFFER_BYTES = 8 << 20;

    private static final int LOOPBACK_ADDRESSES = 254;

    /** What carries datagrams. */
    public enum Carrier {
        /** The system calls of Linux where they can be had, else what is portable. */
        BEST,
        /** The system calls of Linux, or nothing. */
        LINUX,
        /** Java's datagram channels: IPv4 only. */
        PORTABLE
    }

    /** Copies the list. */
    public UdpPlan {
        addresses = List.copyOf(addresses);
    }

    /** The best that there is, at these addresses; at a free loopback address if there are none. */
    public static UdpPlan at(List<InetAddress> addresses) {
        return new UdpPlan(addresses, Carrier.BEST, true, DEFAULT_BUFFER_BYTES, HostAddresses.system());
    }

    /** The same with another carrier. */
    public UdpPlan with(Carrier value) {
        return new UdpPlan(addresses, value, segmentation, bufferBytes, host);
    }

    /** The same with or without segmentation. */
    public UdpPlan withSegmentation(boolean value) {
        return new UdpPlan(addresses, carrier, value, bufferBytes, host);
    }

    /** The same with other socket buffers. */
    public UdpPlan withBufferBytes(int value) {
        return new UdpPlan(addresses, carrier, segmentation, value, host);
    }

    /** The same with what another host says of its addresses, such as one that a test scripts. */
    public UdpPlan withHost(HostAddresses value) {
        return new UdpPlan(addresses, carrier, segmentation, bufferBytes, value);
    }

    /** The sets of addresses to try, in order. */
    List<List<InetAddress>> candidates() {
        if (!addresses.isEmpty()) {
            return List.of(addresses);
        }
        List<List<InetAddress>> loopback = new ArrayList<>();
        for (int last = 1; last <= LOOPBACK_ADDRESSES; last++) {
            loopback.add(List.of(InetAddress.ofLiteral("127.0.0." + last)));
        }
        return loopback;
    }
}
