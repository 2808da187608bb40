package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;

/** Packets from one address to another, as their sender sees them. One thread at a time. */
final class UdpFlow {
    final Gid source;
    final Gid destination;
    final Icrc icrc;
    final DatagramPort.Route route;

    UdpFlow(Gid source, Gid destination, Icrc icrc, DatagramPort.Route route) {
        this.source = source;
        this.destination = destination;
        this.icrc = icrc;
        this.route = route;
    }

    boolean leads(Gid from, Gid to) {
        return destination.equals(to) && source.equals(from);
    }
}
