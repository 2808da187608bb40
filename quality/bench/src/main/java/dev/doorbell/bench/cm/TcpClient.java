package dev.doorbell.bench.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** Makes connections of the system, one after the other. */
final class TcpClient extends TcpEnd {
    private static final int DESTINATIONS = 200;

    private int round;

    @Override
    public void hold(int count, int atATime) throws IOException {
        // Ports of ended connections stay taken for a minute, and there are 28,000 for each address that is connected
        // to.
        InetSocketAddress to = new InetSocketAddress("127.74.1." + (1 + round++ % DESTINATIONS), TcpServer.PORT);
        while (connections.size() < count) {
            connections.add(SocketChannel.open(to));
        }
    }
}
