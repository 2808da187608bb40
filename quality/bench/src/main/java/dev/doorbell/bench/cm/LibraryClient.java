package dev.doorbell.bench.cm;

import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.soft.SoftNetwork;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

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
        List<FutureTask<Integer>> workers = new ArrayList<>();
        for (int worker = 1; worker < atATime; worker++) {
            FutureTask<Integer> task = new FutureTask<>(() -> connect(count / atATime));
            workers.add(task);
            Thread.startVirtualThread(task);
        }
        connect(count - workers.size() * (count / atATime));
        for (FutureTask<Integer> worker : workers) {
            worker.get();
        }
    }

    private int connect(int count) {
        return catalog.call(() -> {
            for (int made = 0; made < count; made++) {
                connections.add(connector.connect(server, from, PATIENCE));
            }
            return count;
        });
    }
}
