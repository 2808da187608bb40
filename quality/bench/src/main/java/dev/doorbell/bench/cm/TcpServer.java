package dev.doorbell.bench.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** Accepts connections of the system. */
final class TcpServer extends TcpEnd {
    static final int PORT = 19_017;

    private static final int BACKLOG = 1024;

    private final ServerSocketChannel listener;

    TcpServer() {
        try {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress(PORT), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void hold(int count, int atATime) throws IOException {
        while (connections.size() < count) {
            connections.add(listener.accept());
        }
    }

    @Override
    public void close() {
        super.close();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
