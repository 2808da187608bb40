package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.Mtu;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param service which of the programs
 * @param host the server to connect to; null to be the server
 * @param tcpPort where the server listens; 0 lets a server choose
 * @param device name of the device; null for the preferred one
 * @param port the device's port, from 1
 * @param size bytes of a message
 * @param mtu path MTU
 * @param receiveDepth receives posted at a time
 * @param iterations messages each way
 * @param serviceLevel service level of packets
 * @param gidIndex slot of the GID table; -1 to have one chosen
 * @param queuePairs queue pairs (SRQ; otherwise 1)
 * @param extras what not every device has
 * @param patience how long the peer may be silent
 */
public record Settings(
        Service service,
        @Nullable String host,
        int tcpPort,
        @Nullable String device,
        int port,
        int size,
        Mtu mtu,
        int receiveDepth,
        int iterations,
        int serviceLevel,
        int gidIndex,
        int queuePairs,
        Set<Extra> extras,
        Duration patience) {
    /** Whether this end connects and sends first. */
    boolean isClient() {
        return host != null;
    }

    boolean has(Extra extra) {
        return extras.contains(extra);
    }
}
