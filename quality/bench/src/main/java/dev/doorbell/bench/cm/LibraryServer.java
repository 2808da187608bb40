package dev.doorbell.bench.cm;

import dev.doorbell.cm.Listener;
import dev.doorbell.soft.SoftNetwork;

/** Accepts with {@link Listener#accept}. */
final class LibraryServer extends LibraryEnd {
    private final Listener listener;

    LibraryServer(SoftNetwork network, Addresses addresses) {
        super(network);
        listener = catalog.call(() -> connector.listen(addresses.server(), settings));
    }

    @Override
    public void hold(int count, int atATime) {
        catalog.call(() -> {
            while (connections.size() < count) {
                connections.add(listener.accept(PATIENCE));
            }
            return count;
        });
    }
}
