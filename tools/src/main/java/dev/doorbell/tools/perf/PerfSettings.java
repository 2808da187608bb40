package dev.doorbell.tools.perf;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What perf is asked for.
 *
 * @param plans what a client does, a connection each; empty for a server
 * @param server the server's address, or where this one listens
 * @param local own address of a client; null for that of the route
 * @param device a device of the kernel to use; null for the preferred one
 * @param welcome how long a server waits for its client
 * @param patience how long each step may take
 */
public record PerfSettings(
        List<PerfPlan> plans,
        InetSocketAddress server,
        @Nullable InetSocketAddress local,
        @Nullable String device,
        Duration welcome,
        Duration patience) {}
