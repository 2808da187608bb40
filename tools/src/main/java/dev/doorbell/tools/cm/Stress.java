package dev.doorbell.tools.cm;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.EventChannel;
import dev.doorbell.kernel.DurationText;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.ProtectionDomain;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * ucmatose(1): many connections at a time over one event channel, messages on each, and their end. The server sends first.
 */
public final class Stress implements AutoCloseable {
    private static final int RETRIES = 5;
    private static final double NS_PER_SECOND = 1e9;

    private final StressSettings settings;
    private final PrintStream out;
    private final EventChannel channel;
    private final EventChannel other;
    private final Map<CmId, StressNode> nodes = new LinkedHashMap<>();
    private final Map<Context, ProtectionDomain> domains = new HashMap<>();
    private EventChannel present;
    private int connected;
    private int disconnected;
    private int rejected;

    private Stress(StressSettings settings, PrintStream out, EventChannel channel, EventChannel other) {
        this.settings = settings;
        this.out = out;
        this.channel = channel;
        this.other = other;
        this.present = channel;
    }

    /**
     * Plays it.
     *
     * @throws CmToolException with a sentence if the peer does not play along
     */
    public static void play(StressSettings settings, PrintStream out) {
        String device = settings.device();
        Device first = device == null ? Device.preferred() : Device.named(device);
        try (EventChannel channel = EventChannel.open(first);
                EventChannel other = settings.migrate() ? EventChannel.open(first) : channel;
                Stress stress = new Stress(settings, out, channel, other)) {
            if (settings.server() == null) {
                stress.serve();
            } else {
                stress.connect(settings.server());
            }
        }
    }

    private void serve() {
        InetSocketAddress local = Objects.requireNonNull(settings.local());
        try (CmId listener = channel.create(settings.space())) {
            options(listener);
            listener.bind(local);
            listener.listen(settings.connections());
            Listening.tell(out, listener.localAddress().orElseThrow());
            handle(first());
            handleUntil(() -> connected == settings.connections(), "connections");
            migrate();
            out.println("initiating data transfers");
            nodes.values().forEach(StressNode::send);
            nodes.values().forEach(StressNode::awaitSends);
            out.println("receiving data transfers");
            nodes.values().forEach(StressNode::awaitReceives);
            out.println("data transfers complete");
            long start = System.nanoTime();
            nodes.values().forEach(node -> node.id().disconnect());
            handleUntil(() -> disconnected == settings.connections(), "disconnections");
            rate("disconnected", start);
        }
    }

    private void connect(InetSocketAddress server) {
        long start = System.nanoTime();
        for (int i = 0; i < settings.connections(); i++) {
            CmId id = channel.create(settings.space());
            options(id);
            id.resolveAddress(settings.local(), server, settings.patience());
        }
        handleUntil(() -> connected == settings.connections(), "connections");
        rate("connected", start);
        migrate();
        out.println("receiving data transfers");
        nodes.values().forEach(StressNode::awaitReceives);
        out.println("sending replies");
        nodes.values().forEach(StressNode::send);
        nodes.values().forEach(StressNode::awaitSends);
        out.println("data transfers complete");
        handleUntil(() -> disconnected == settings.connections(), "disconnections");
        out.println("test complete");
    }

    /** What a server gets to hear first. */
    private CmEvent first() {
        return present.await(settings.welcome())
                .orElseThrow(() -> new CmToolException("nobody came in " + DurationText.of(settings.welcome())));
    }

    /** From here on events are read from another channel. */
    private void migrate() {
        if (settings.migrate()) {
            nodes.keySet().forEach(id -> id.migrate(other));
            present = other;
        }
    }

    private void options(CmId id) {
        if (settings.typeOfService() >= 0) {
            id.typeOfService(settings.typeOfService());
        }
        if (settings.ackTimeout() >= 0) {
            id.ackTimeout(settings.ackTimeout());
        }
    }

    private void handleUntil(BooleanSupplier done, String what) {
        while (!done.getAsBoolean()) {
            CmEvent event = present.await(settings.patience())
                    .orElseThrow(() -> new CmToolException(
                            "nothing happened for " + settings.patience().toSeconds() + " seconds; " + connected
                                    + " of " + settings.connections() + " " + what + ", " + rejected + " rejected"));
            handle(event);
        }
    }

    private void handle(CmEvent event) {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> id.resolveRoute(settings.patience());
            case ROUTE_RESOLVED -> {
                node(id);
                id.connect(parameters());
            }
            case CONNECT_REQUEST -> {
                if (nodes.size() == settings.connections()) {
                    id.reject();
                    id.close();
                    rejected++;
                } else {
                    node(id);
                    id.accept(parameters());
                }
            }
            case ESTABLISHED -> connected++;
            case DISCONNECTED -> {
                // Agreeing again to what this side began is refused, which changes nothing.
                agree(id);
                disconnected++;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL ->
                event.expect(CmEventType.ESTABLISHED);
            case CONNECT_RESPONSE, MULTICAST_JOIN, MULTICAST_ERROR, ADDR_CHANGE, TIMEWAIT_EXIT, UNKNOWN -> {}
        }
    }

    private static void agree(CmId id) {
        try {
            id.disconnect();
        } catch (dev.doorbell.cm.CmException e) {
            // Both sides ended it.
        }
    }

    private ConnectionParameters parameters() {
        return ConnectionParameters.defaults()
                .withDepths(1, 1)
                .withRetries(RETRIES, ConnectionParameters.RETRY_FOR_EVER);
    }

    private void node(CmId id) {
        ProtectionDomain domain = domains.computeIfAbsent(id.context(), Context::allocateProtectionDomain);
        nodes.put(id, new StressNode(id, domain, settings));
    }

    private void rate(String what, long startNs) {
        double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
        out.printf(
                "%s %d in %.3f seconds = %.0f per second%n",
                what, settings.connections(), seconds, settings.connections() / seconds);
    }

    @Override
    public void close() {
        nodes.values().forEach(StressNode::close);
        domains.values().forEach(ProtectionDomain::close);
    }
}
