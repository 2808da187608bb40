package dev.doorbell.tools.cm;

import dev.doorbell.spec.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What cm-stress is asked for.
 *
 * @param server the server's address for a client; null to be the server
 * @param local own address: where a server listens, what a client connects from; null for any
 * @param space port space
 * @param connections how many
 * @param messages each way on each connection
 * @param size bytes of a message
 * @param typeOfService of packets; -1 for none
 * @param ackTimeout code; -1 for the kernel's own
 * @param migrate whether identifiers move to another channel when they are connected
 * @param device a device of the kernel to use; null for the preferred one
 * @param welcome how long a server waits for its first peer
 * @param patience how long it may take until something happens
 */
public record StressSettings(
        @Nullable InetSocketAddress server,
        @Nullable InetSocketAddress local,
        PortSpace space,
        int connections,
        int messages,
        int size,
        int typeOfService,
        int ackTimeout,
        boolean migrate,
        @Nullable String device,
        Duration welcome,
        Duration patience) {}
