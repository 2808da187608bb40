package dev.doorbell.cm;

import dev.doorbell.spec.CmEventType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for peers that connect. Made by {@link Connector#listen(InetSocketAddress)}.
 *
 * <p>Thread rules: any method from any thread; each request goes to one of those who wait.
 */
public final class Listener implements AutoCloseable {
    private final Connector connector;
    private final CmId id;
    private final ConnectionSettings settings;

    Listener(Connector connector, CmId id, ConnectionSettings settings) {
        this.connector = connector;
        this.id = id;
        this.settings = settings;
    }

    /** Where it listens, with the port that was taken. */
    public InetSocketAddress localAddress() {
        return id.localAddress().orElseThrow();
    }

    /** Its identifier. */
    public CmId id() {
        return id;
    }

    /**
     * Waits for a peer and accepts it, with the listener's settings. A peer that gives up meanwhile is passed over.
     *
     * @throws CmException ETIMEDOUT if the time is up, EINTR if the thread is interrupted
     * @throws dev.doorbell.verbs.ClosedException if it is closed, also while waiting
     */
    public CmConnection accept(Duration deadline) {
        EventPump.Timer timer = connector.pump().timer(deadline);
        while (true) {
            ConnectionRequest request =
                    next(timer).orElseThrow(() -> timer.failure("accept", id, "waiting for a peer"));
            try {
                return request.accept(settings.parameters(), timer.left());
            } catch (CmException e) {
                if (timer.isUp() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Waits for a request, to look at before it is accepted or rejected.
     *
     * @return empty if the time was up or the thread was interrupted
     * @throws dev.doorbell.verbs.ClosedException if it is closed, also while waiting
     */
    public Optional<ConnectionRequest> await(Duration timeout) {
        return next(connector.pump().timer(timeout));
    }

    private Optional<ConnectionRequest> next(EventPump.Timer timer) {
        while (true) {
            Optional<CmEvent> event = connector.pump().await(id, timer);
            if (event.isEmpty()) {
                return Optional.empty();
            }
            if (event.get().type() == CmEventType.CONNECT_REQUEST) {
                return Optional.of(new ConnectionRequest(connector, event.get(), settings));
            }
            if (event.get().failure().isPresent()) {
                throw event.get().failure().get();
            }
        }
    }

    /** Listens no more; requests that nobody took are rejected. Accepted connections stay. Idempotent. */
    @Override
    public void close() {
        connector.pump().forget(id);
        id.close();
    }

    @Override
    public String toString() {
        return "listener " + id;
    }
}
