package dev.doorbell.bench.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Makes connections of the system, one after the other. */
final class TcpClient implements End {
    private static final int DESTINATIONS = 200;

    private final List<SocketChannel> connected = new ArrayList<>();
    private int round;

    @Override
    public void hold(int count, int atATime) throws IOException {
        // Ports of ended connections stay taken for a minute, and there are 28,000 for each address that is connected
        // to.
        InetSocketAddress to = new InetSocketAddress("127.74.1." + (1 + round++ % DESTINATIONS), TcpServer.PORT);
        while (connected.size() < count) {
            connected.add(SocketChannel.open(to));
        }
    }

    @Override
    public void release() throws IOException {
        for (SocketChannel connection : connected) {
            connection.close();
        }
        connected.clear();
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
