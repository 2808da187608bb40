package dev.doorbell.tools.pingpong;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Connects to a server, by any address that its name has. */
final class ClientRendezvous implements Rendezvous {
    private final String host;
    private final int port;
    private final Duration patience;

    ClientRendezvous(String host, int port, Duration patience) {
        this.host = host;
        this.port = port;
        this.patience = patience;
    }

    @Override
    public List<PortAddress> exchange(List<PortAddress> mine, Consumer<List<PortAddress>> connect) {
        List<PortAddress> theirs;
        try (Conversation server = connect()) {
            server.sendAddresses(mine);
            theirs = server.receiveAddresses(mine.size());
            server.sendDone();
        }
        connect.accept(theirs);
        return theirs;
    }

    private Conversation connect() {
        String complaint = "it has no address";
        for (InetAddress address : addresses()) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), (int) patience.toMillis());
                return new Conversation(socket, patience);
            } catch (IOException e) {
                complaint = e.getMessage();
                close(socket);
            }
        }
        throw new PingpongException(
                "cannot connect to " + host + " port " + port + ": " + complaint + "; does the server listen there?");
    }

    private InetAddress[] addresses() {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new PingpongException("there is no host '" + host + "': " + e.getMessage(), e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it was never connected: there is nothing to lose
        }
    }

    @Override
    public void close() {}
}
