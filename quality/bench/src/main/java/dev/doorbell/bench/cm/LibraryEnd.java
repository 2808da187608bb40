package dev.doorbell.bench.cm;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** The library's form in three lines, with a small queue pair and a completion queue for each connection. */
abstract class LibraryEnd implements End {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int DEPTH = 4;

    final DeviceCatalog catalog;
    final Connector connector;
    final ConnectionSettings settings = ConnectionSettings.defaults().withDepth(DEPTH, DEPTH);
    final List<CmConnection> connections = Collections.synchronizedList(new ArrayList<>());

    private final SoftNetwork network;

    LibraryEnd(SoftNetwork network) {
        this.network = network;
        catalog = DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
        connector = catalog.call(Connector::open);
    }

    /** Makes so many connections, in this thread or in several virtual ones that share the work. */
    final void share(int count, int workers, Supplier<CmConnection> making)
            throws ExecutionException, InterruptedException {
        List<FutureTask<Integer>> others = new ArrayList<>();
        for (int worker = 1; worker < workers; worker++) {
            FutureTask<Integer> task = new FutureTask<>(() -> make(count / workers, making));
            others.add(task);
            Thread.startVirtualThread(task);
        }
        make(count - others.size() * (count / workers), making);
        for (FutureTask<Integer> other : others) {
            other.get();
        }
    }

    private int make(int count, Supplier<CmConnection> making) {
        return catalog.call(() -> {
            for (int made = 0; made < count; made++) {
                connections.add(making.get());
            }
            return count;
        });
    }

    @Override
    public void release() {
        connections.forEach(CmConnection::close);
        connections.clear();
    }

    @Override
    public void settle() {
        End.settle(network);
    }

    @Override
    public long ringBytes() {
        return network.census().values().stream()
                .mapToLong(census -> census.ringBytes())
                .sum();
    }

    @Override
    public void close() {
        connector.close();
    }
}
