package dev.doorbell.tools.pingpong;

import java.util.List;
import java.util.function.Consumer;

/** How the two ends learn each other's addresses. */
interface Rendezvous extends AutoCloseable {
    /**
     * Tells the peer our addresses and learns as many of its own.
     *
     * @param connect is given the peer's addresses and gets our queue pairs ready to receive. A server does that before it
     *     answers, so that a client which has the answer may send at once
     * @return the peer's addresses, in the order of ours
     * @throws PingpongException if the peer does not play along, or not in time
     */
    List<PortAddress> exchange(List<PortAddress> mine, Consumer<List<PortAddress>> connect);

    /** Gives up its port. Idempotent. */
    @Override
    void close();
}
