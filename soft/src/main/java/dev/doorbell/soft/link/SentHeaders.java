package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;

/** What the headers of datagrams say that are sent one way, as far as the ICRC covers it. One thread at a time. */
final class SentHeaders {
    private static final int IDENTIFICATIONS = 1 << 16;

    /** Of the addresses, and of the port from which they leave. */
    final Icrc icrc;

    /** Whether each send has the number after the one before it; otherwise all have the same. */
    private final boolean counting;

    /** IPv4 identification of the first datagram of the next send. */
    private int next;

    private SentHeaders(Icrc icrc, boolean counting, int next) {
        this.icrc = icrc;
        this.counting = counting;
        this.next = next;
    }

    /** Of a socket that is not connected: from port 4791, and each send is numbered from 0. */
    static SentHeaders unconnected(Gid source, Gid destination) {
        return new SentHeaders(new Icrc(source, destination, Icrc.PORT), false, 0);
    }

    /** Of a connected socket. IPv6 has no identification: any will do. */
    static SentHeaders connected(Gid source, Gid destination, int sourcePort, int next) {
        return new SentHeaders(new Icrc(source, destination, sourcePort), true, next);
    }

    /**
     * The identification of a datagram that is one of those to be sent next.
     *
     * @param index how many are before it
     * @param together whether they are one send, which the system cuts
     */
    int identification(int index, boolean together) {
        return together || counting ? (next + index) % IDENTIFICATIONS : next;
    }

    /** The number of the next send. */
    int next() {
        return next;
    }

    /** One send was made. */
    void sent() {
        if (counting) {
            next = (next + 1) % IDENTIFICATIONS;
        }
    }
}
