package dev.doorbell.bench.cm;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The library's form in three lines, with a small queue pair and a completion queue for each connection. */
final class LibraryScene extends CmScene {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int DEPTH = 4;

    private final DeviceCatalog catalog;
    private final Connector server;
    private final Connector client;
    private final Listener listener;
    private final ConnectionSettings settings = ConnectionSettings.defaults().withDepth(DEPTH, DEPTH);

    LibraryScene(SoftNetwork network) {
        super(network);
        catalog = DeviceCatalog.of(
                List.of(network), DeviceCatalog.installed().providers());
        server = catalog.call(Connector::open);
        client = catalog.call(Connector::open);
        listener = catalog.call(() -> server.listen(new InetSocketAddress(SERVER, PORT), settings));
    }

    @Override
    Round play(int count) throws Exception {
        settle();
        long before = heap();
        FutureTask<List<CmConnection>> accepting = new FutureTask<>(() -> catalog.call(() -> accept(count)));
        Thread.ofPlatform().daemon().name("server").start(accepting);
        long start = System.nanoTime();
        List<CmConnection> asked = catalog.call(() -> connect(count));
        List<CmConnection> accepted = result(accepting);
        long setUp = System.nanoTime() - start;
        long bytes = heap() - before;
        long resumed = System.nanoTime();
        asked.forEach(CmConnection::close);
        accepted.forEach(CmConnection::close);
        return new Round(count, setUp, setUp + System.nanoTime() - resumed, bytes);
    }

    private static <T> T result(FutureTask<T> task) throws InterruptedException, ExecutionException {
        return task.get();
    }

    private List<CmConnection> accept(int count) {
        List<CmConnection> accepted = new ArrayList<>();
        while (accepted.size() < count) {
            accepted.add(listener.accept(PATIENCE));
        }
        return accepted;
    }

    private List<CmConnection> connect(int count) {
        ConnectionSettings from = settings.withLocalAddress(new InetSocketAddress(CLIENT, 0));
        List<CmConnection> connected = new ArrayList<>();
        while (connected.size() < count) {
            connected.add(client.connect(new InetSocketAddress(SERVER, PORT), from, PATIENCE));
        }
        return connected;
    }

    @Override
    public void close() {
        listener.close();
        client.close();
        server.close();
        super.close();
    }
}
