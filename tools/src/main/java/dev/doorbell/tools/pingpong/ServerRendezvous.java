package dev.doorbell.tools.pingpong;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Listens, and waits for one client as long as it takes. */
final class ServerRendezvous implements Rendezvous {
    private final ServerSocket listener;
    private final Duration patience;

    /**
     * Begins to listen, on IPv4 and IPv6.
     *
     * @param port 0 for any that is free
     */
    ServerRendezvous(int port, Duration patience) {
        this.patience = patience;
        try {
            this.listener = new ServerSocket(port, 1);
        } catch (IOException e) {
            throw new PingpongException(
                    "cannot listen on TCP port " + port + ": " + e.getMessage() + "; -p names another", e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public List<PortAddress> exchange(List<PortAddress> mine, Consumer<List<PortAddress>> connect) {
        try (Conversation client = accept()) {
            List<PortAddress> theirs = client.receiveAddresses(mine.size());
            connect.accept(theirs);
            client.sendAddresses(mine);
            client.receiveDone();
            return theirs;
        }
    }

    /** Takes the first client, and only that one. */
    private Conversation accept() {
        try {
            return new Conversation(listener.accept(), patience);
        } catch (IOException e) {
            throw new PingpongException("cannot accept a client: " + e.getMessage(), e);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new PingpongException("cannot give up the TCP port: " + e.getMessage(), e);
        }
    }
}
