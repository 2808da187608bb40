package dev.doorbell.bench.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Accepts connections of the system. */
final class TcpServer implements End {
    static final int PORT = 19_017;

    private static final int BACKLOG = 1024;

    private final ServerSocketChannel listener;
    private final List<SocketChannel> accepted = new ArrayList<>();

    TcpServer() {
        try {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress(PORT), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void hold(int count, int atATime) throws IOException {
        while (accepted.size() < count) {
            accepted.add(listener.accept());
        }
    }

    @Override
    public void release() throws IOException {
        for (SocketChannel connection : accepted) {
            connection.close();
        }
        accepted.clear();
    }

    @Override
    public void settle() {}

    @Override
    public long ringBytes() {
        return 0;
    }

    @Override
    public void close() {
        try {
            release();
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
