package dev.doorbell.cm;

import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A peer that asks for a connection. It is accepted, rejected or closed; closing one that was not accepted rejects it.
 *
 * <p>Thread rules: one thread at a time.
 */
public final class ConnectionRequest implements AutoCloseable {
    private final Connector connector;
    private final CmEvent event;
    private final ConnectionSettings settings;
    private final Connector.Ends ends;

    ConnectionRequest(Connector connector, CmEvent event, ConnectionSettings settings) {
        this.connector = connector;
        this.event = event;
        this.settings = settings;
        this.ends = connector.new Ends(event.id());
        connector.pump().register(event.id());
    }

    /** Its identifier. */
    public CmId id() {
        return event.id();
    }

    /** The peer. */
    public InetSocketAddress peerAddress() {
        return id().peerAddress().orElseThrow();
    }

    /** What the peer asks for, in this side's view. */
    public ConnectionParameters parameters() {
        return event.parameters().orElse(ConnectionParameters.defaults());
    }

    /** What the peer sent along: 56 bytes, with zeros behind what it gave. */
    public byte[] privateData() {
        return event.privateData();
    }

    /** The queue pair, made now unless it was: receives can be posted before the peer can send. */
    public QueuePair queuePair() {
        ends.prepare(settings);
        return id().queuePair().orElseThrow();
    }

    /**
     * Accepts, and waits until the peer has confirmed.
     *
     * @throws CmException if the peer has given up, ETIMEDOUT if it does not confirm; nothing is left behind
     */
    public CmConnection accept(ConnectionParameters parameters, Duration deadline) {
        EventPump.Timer timer = connector.pump().timer(deadline);
        try {
            ends.prepare(settings);
            id().accept(parameters);
            connector.pump().expect(id(), CmEventType.ESTABLISHED, "waiting for the peer's confirmation", timer);
            return ends.connected(event);
        } finally {
            ends.closeUnlessConnected();
        }
    }

    /** Rejects it with data for the peer's program, at most {@link ConnectionParameters#REJECT_DATA} bytes. */
    public void reject(byte... privateData) {
        try {
            id().reject(privateData);
        } finally {
            ends.closeUnlessConnected();
        }
    }

    /** Rejects it if it was not accepted. Idempotent. */
    @Override
    public void close() {
        ends.closeUnlessConnected();
    }

    @Override
    public String toString() {
        return "request of " + id();
    }
}
