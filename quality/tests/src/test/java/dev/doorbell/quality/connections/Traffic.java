package dev.doorbell.quality.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.EventChannel;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Connections without queue pairs, many at a time, both sides driven by their events in one thread. */
final class Traffic implements AutoCloseable {
    private static final int PORT = 7176;
    private static final int QUEUE_PAIR_NUMBERS = 0xfffff0;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration NAP = Duration.ofMillis(1);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(120);

    private final Hosts hosts;
    private final EventChannel client;
    private final EventChannel server;
    private final List<CmId> active = new ArrayList<>();
    private int queuePairs;
    private int established;

    Traffic(Hosts hosts) {
        this.hosts = hosts;
        this.client = hosts.catalog().call(() -> EventChannel.open());
        this.server = hosts.catalog().call(() -> EventChannel.open());
        CmId listener = server.create(PortSpace.TCP);
        listener.bind(hosts.server(PORT));
        listener.listen(0);
    }

    /** Makes so many connections at a time, and ends them. */
    void round(int count) {
        established = 0;
        for (int i = 0; i < count; i++) {
            CmId id = client.create(PortSpace.TCP);
            active.add(id);
            id.bind(hosts.client());
            id.resolveAddress(hosts.server(PORT), PATIENCE);
        }
        drive("they are established", () -> established == 2 * count);
        assertThat(client.size()).isEqualTo(count);
        assertThat(server.size()).isEqualTo(count + 1);
        active.forEach(CmId::close);
        active.clear();
        drive("they are ended", () -> client.size() == 0 && server.size() == 1);
    }

    private void drive(String what, BooleanSupplier done) {
        long end = System.nanoTime() + LONGEST_NS;
        while (!done.getAsBoolean()) {
            boolean any = handle(client.poll());
            any |= handle(server.poll());
            if (!any) {
                handle(server.await(NAP));
                assertThat(System.nanoTime()).as(what).isLessThan(end);
            }
        }
    }

    private boolean handle(Optional<CmEvent> come) {
        come.ifPresent(event -> {
            CmId id = event.id();
            CmEventType type = event.type();
            switch (type) {
                case ADDR_RESOLVED -> id.resolveRoute(PATIENCE);
                case ROUTE_RESOLVED -> id.connect(parameters());
                case CONNECT_REQUEST -> id.accept(parameters());
                case CONNECT_RESPONSE -> {
                    id.establish();
                    established++;
                }
                case ESTABLISHED -> established++;
                case DISCONNECTED -> id.close();
                default -> throw new AssertionError(event.toString());
            }
        });
        return come.isPresent();
    }

    private ConnectionParameters parameters() {
        queuePairs = queuePairs % QUEUE_PAIR_NUMBERS + 1;
        return ConnectionParameters.defaults().withQueuePair(queuePairs, 0);
    }

    @Override
    public void close() {
        try (client) {
            server.close();
        }
    }
}
