package dev.doorbell.linux;

import dev.doorbell.spec.PortPhysicalState;
import dev.doorbell.spec.PortState;
import java.util.Optional;

/**
 * A port of an RDMA device of this host, with the network interface that it stands on.
 *
 * @param device the device's name, such as {@code rxe0}
 * @param port from 1
 * @param protocol such as {@code roce}; empty if the kernel does not say
 * @param state the port's state; empty for one that this library does not know
 * @param physicalState the state of the port's link; empty for one that this library does not know
 * @param netDevice the network interface, such as {@code eth0}; empty if it has none in this network namespace
 */
public record RdmaLink(
        String device,
        int port,
        String protocol,
        Optional<PortState> state,
        Optional<PortPhysicalState> physicalState,
        String netDevice) {}
