package dev.doorbell.cm;

import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection: an identifier with a queue pair that can send and receive.
 *
 * <p>When the peer ends it, receives that are posted come back flushed as soon as somebody reads the connector's events: any
 * wait of the connector does, and {@link #isConnected()}.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class CmConnection implements AutoCloseable {
    private final EventPump pump;
    private final CmId id;
    private final QueuePair queuePair;
    private final @Nullable CompletionQueue ownCompletions;
    private final ConnectionParameters peer;

    /** Whether this side has asked for the end. */
    private volatile boolean asked;

    /** Whether an event told of the end. */
    private volatile boolean told;

    CmConnection(
            EventPump pump,
            CmId id,
            QueuePair queuePair,
            @Nullable CompletionQueue ownCompletions,
            ConnectionParameters peer) {
        this.pump = pump;
        this.id = id;
        this.queuePair = queuePair;
        this.ownCompletions = ownCompletions;
        this.peer = peer;
    }

    /** Its identifier. */
    public CmId id() {
        return id;
    }

    /** The queue pair. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** Where sends complete; receives too, unless the program made the queue pair otherwise. */
    public CompletionQueue completions() {
        return queuePair.sendCompletions();
    }

    /** The protection domain of the queue pair, in which memory is registered. */
    public ProtectionDomain protectionDomain() {
        return queuePair.protectionDomain();
    }

    /** Own address. */
    public InetSocketAddress localAddress() {
        return id.localAddress().orElseThrow();
    }

    /** Address of the peer. */
    public InetSocketAddress peerAddress() {
        return id.peerAddress().orElseThrow();
    }

    /** What the peer granted, or asked for on the side that accepted, in this side's view. */
    public ConnectionParameters parameters() {
        return peer;
    }

    /** What the peer's program sent along, with zeros behind: 196 bytes from who accepted, 56 bytes from who connected. */
    public byte[] privateData() {
        return peer.privateData();
    }

    /** Whether neither side has ended it; reads the events that are there. */
    public boolean isConnected() {
        if (id.isOpen()) {
            pump.drain();
        }
        return id.isConnected();
    }

    /**
     * Waits until the peer ends the connection, or has agreed to its end; false if the time was up or the thread was interrupted.
     *
     * @throws dev.doorbell.verbs.ClosedException if this side closes it meanwhile
     */
    public boolean awaitDisconnect(Duration timeout) {
        EventPump.Timer timer = pump.timer(timeout);
        while (!isOver()) {
            Optional<CmEvent> event = pump.await(id, timer);
            if (event.isEmpty()) {
                return isOver();
            }
            if (isEnd(event.get())) {
                return true;
            }
        }
        return true;
    }

    /**
     * Ends the connection, or agrees to its end, and waits until the peer has agreed.
     *
     * @return false if the peer did not agree in time, which changes nothing here
     */
    public boolean disconnect(Duration timeout) {
        EventPump.Timer timer = pump.timer(timeout);
        boolean ended = isOver();
        asked = true;
        id.disconnect();
        while (!ended) {
            Optional<CmEvent> event = pump.await(id, timer);
            if (event.isEmpty()) {
                return false;
            }
            ended = isEnd(event.get());
        }
        return true;
    }

    /** Whether the peer has ended it or agreed to its end, or this side has closed it. */
    private boolean isOver() {
        return !isConnected() && (told || !asked || !id.isOpen());
    }

    /** Whether an event tells of the end; others that wait for it are told too. */
    private boolean isEnd(CmEvent event) {
        boolean ended = event.type() == CmEventType.DISCONNECTED;
        if (ended) {
            told = true;
            pump.deliver(event);
        }
        return ended;
    }

    /** Ends the connection and closes its queue pair, and its completion queue if the connector made it. Idempotent. */
    @Override
    public void close() {
        pump.forget(id);
        id.close();
        if (ownCompletions != null) {
            ownCompletions.close();
        }
    }

    @Override
    public String toString() {
        return "connection " + id;
    }
}
