package dev.doorbell.bench.cm;

import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.soft.SoftNetwork;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;

/** Connects in this thread, or in virtual threads that share the work. */
final class LibraryClient extends LibraryEnd {
    private final InetSocketAddress server;
    private final ConnectionSettings from;

    LibraryClient(SoftNetwork network, Addresses addresses) {
        super(network);
        server = addresses.server();
        from = settings.withLocalAddress(addresses.client());
    }

    @Override
    public void hold(int count, int atATime) throws ExecutionException, InterruptedException {
        share(count, atATime, () -> connector.connect(server, from, PATIENCE));
    }
}
