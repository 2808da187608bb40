package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;

/** Packets from one address to another, as their sender sees them. One thread at a time. */
final class UdpFlow {
    /** How many batches go datagram by datagram after the system refused to cut one. */
    private static final int BATCHES_UNTIL_ASKED_AGAIN = 1 << 10;

    final Gid source;
    final Gid destination;
    final DatagramPort.Route route;
    private int batchesLeft;
    private long marked = IpFields.USUAL;

    UdpFlow(Gid source, Gid destination, DatagramPort.Route route) {
        this.source = source;
        this.destination = destination;
        this.route = route;
    }

    boolean leads(Gid from, Gid to) {
        return destination.equals(to) && source.equals(from);
    }

    /** Sets the {@link IpFields} of the next sends. */
    void mark(long fields) {
        if (fields != marked) {
            marked = fields;
            route.mark(fields);
        }
    }

    /** Whether the next batch may be one send that the system cuts. Where its way could not do it, others' may. */
    boolean segments() {
        return batchesLeft == 0 || --batchesLeft == 0;
    }

    /** The way out of this host, at present, does not cut what it takes piece by piece. */
    void refusedToSegment() {
        batchesLeft = BATCHES_UNTIL_ASKED_AGAIN;
    }
}
