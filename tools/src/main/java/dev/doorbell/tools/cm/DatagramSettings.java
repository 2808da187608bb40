package dev.doorbell.tools.cm;

import dev.doorbell.spec.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What udaddy and mckey are asked for.
 *
 * @param server the server's address for a client of udaddy; null to be the server
 * @param local own address; null for any
 * @param group the multicast group, for mckey; null for udaddy
 * @param sender whether this end of mckey sends
 * @param sendOnly whether nothing of the group is received
 * @param space port space
 * @param peers identifiers
 * @param messages of each
 * @param size bytes of a message
 * @param typeOfService of packets; -1 for none
 * @param device a device of the kernel to use; null for the preferred one
 * @param welcome how long a server waits for its first peer
 * @param patience how long it may take until something happens
 */
public record DatagramSettings(
        @Nullable InetSocketAddress server,
        @Nullable InetSocketAddress local,
        @Nullable InetSocketAddress group,
        boolean sender,
        boolean sendOnly,
        PortSpace space,
        int peers,
        int messages,
        int size,
        int typeOfService,
        @Nullable String device,
        Duration welcome,
        Duration patience) {}
