package dev.doorbell.bench.cm;

import dev.doorbell.cm.Listener;
import dev.doorbell.soft.SoftNetwork;
import java.util.concurrent.ExecutionException;

/** Accepts with {@link Listener#accept}: in this thread, or in a few virtual ones where many connect at a time. */
final class LibraryServer extends LibraryEnd {
    private static final int MOST_ACCEPTING = 4;

    private final Listener listener;

    LibraryServer(SoftNetwork network, Addresses addresses) {
        super(network);
        listener = catalog.call(() -> connector.listen(addresses.server(), settings));
    }

    @Override
    public void hold(int count, int atATime) throws ExecutionException, InterruptedException {
        share(count, Math.min(atATime, MOST_ACCEPTING), () -> listener.accept(PATIENCE));
    }
}
