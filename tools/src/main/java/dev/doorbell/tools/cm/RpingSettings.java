package dev.doorbell.tools.cm;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What rping is asked for.
 *
 * @param server whether it waits for clients
 * @param address of the server; where it listens
 * @param source address of a client to connect from; null for the one of the route
 * @param size bytes of the data
 * @param count pings; 0 for ever
 * @param verbose whether data are printed
 * @param validate whether data are compared
 * @param debug whether the steps are told
 * @param persistent whether a server goes on with the next client
 * @param device a device of the kernel to use; null for the preferred one
 * @param welcome how long a server waits for its first peer
 * @param patience how long each step may take
 */
public record RpingSettings(
        boolean server,
        InetSocketAddress address,
        @Nullable InetSocketAddress source,
        int size,
        long count,
        boolean verbose,
        boolean validate,
        boolean debug,
        boolean persistent,
        @Nullable String device,
        Duration welcome,
        Duration patience) {}
