package dev.doorbell.bench.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** One side of connections of the system. */
abstract class TcpEnd implements End {
    final List<SocketChannel> connections = new ArrayList<>();

    @Override
    public final void release() throws IOException {
        for (SocketChannel connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    @Override
    public final void settle() {}

    @Override
    public final long ringBytes() {
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
