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

/**
 * udaddy(1) and mckey(1): datagrams between queue pairs that found each other by address, or met in a multicast group.
 *
 * <pre>
 *   udaddy   client ─ request ─▶ server      the server's queue pair comes back
 *            client ─ datagrams ─▶ server    each with the client's queue pair number
 *            client ◀─ datagrams ─ server
 *   mckey    sender ─ datagrams ─▶ group ─▶ receivers
 * </pre>
 */
public final class Datagrams implements AutoCloseable {
    private final DatagramSettings settings;
    private final PrintStream out;
    private final EventChannel channel;
    private final Map<CmId, DatagramNode> nodes = new LinkedHashMap<>();
    private final Map<Context, ProtectionDomain> domains = new HashMap<>();
    private int ready;

    private Datagrams(DatagramSettings settings, PrintStream out, EventChannel channel) {
        this.settings = settings;
        this.out = out;
        this.channel = channel;
    }

    /**
     * Plays it.
     *
     * @throws CmToolException with a sentence if the peer does not play along
     */
    public static void play(DatagramSettings settings, PrintStream out) {
        String device = settings.device();
        try (EventChannel channel = device == null ? EventChannel.open() : EventChannel.open(Device.named(device));
                Datagrams datagrams = new Datagrams(settings, out, channel)) {
            if (settings.group() != null) {
                datagrams.meet(settings.group());
            } else if (settings.server() != null) {
                datagrams.connect(settings.server());
            } else {
                datagrams.serve();
            }
        }
    }

    private void serve() {
        try (CmId listener = channel.create(settings.space())) {
            options(listener);
            listener.bind(Objects.requireNonNull(settings.local()));
            listener.listen(settings.peers());
            Listening.tell(out, listener.localAddress().orElseThrow());
            handle(first());
            handleUntilReady();
            out.println("receiving data transfers");
            nodes.values().forEach(DatagramNode::awaitReceives);
            out.println("sending replies");
            nodes.values().forEach(DatagramNode::send);
            out.println("data transfers complete");
        }
    }

    private void connect(InetSocketAddress server) {
        resolve(server);
        handleUntilReady();
        out.println("initiating data transfers");
        nodes.values().forEach(DatagramNode::send);
        out.println("receiving data transfers");
        nodes.values().forEach(DatagramNode::awaitReceives);
        out.println("data transfers complete");
    }

    private void meet(InetSocketAddress group) {
        resolve(group);
        handleUntilReady();
        out.println("joined " + group.getAddress().getHostAddress());
        out.flush();
        if (settings.sender()) {
            nodes.values().forEach(DatagramNode::send);
            out.println("sent " + settings.messages() + " datagrams");
        } else {
            nodes.values().forEach(DatagramNode::awaitReceives);
            out.println("received " + settings.messages() + " datagrams");
        }
    }

    private void resolve(InetSocketAddress to) {
        for (int i = 0; i < settings.peers(); i++) {
            CmId id = channel.create(settings.space());
            options(id);
            id.resolveAddress(settings.local(), to, settings.patience());
        }
    }

    private void options(CmId id) {
        if (settings.typeOfService() >= 0) {
            id.typeOfService(settings.typeOfService());
        }
    }

    /** What a server gets to hear first. */
    private CmEvent first() {
        return channel.await(settings.welcome())
                .orElseThrow(() -> new CmToolException("nobody came in " + DurationText.of(settings.welcome())));
    }

    private void handleUntilReady() {
        while (ready < settings.peers()) {
            handle(channel.await(settings.patience())
                    .orElseThrow(() -> new CmToolException("nothing happened for "
                            + settings.patience().toSeconds() + " seconds; " + ready + " of " + settings.peers()
                            + " are ready")));
        }
    }

    private void handle(CmEvent event) {
        CmId id = event.id();
        InetSocketAddress group = settings.group();
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                if (group == null) {
                    id.resolveRoute(settings.patience());
                } else {
                    node(id);
                    id.joinMulticast(group, settings.sendOnly());
                }
            }
            case ROUTE_RESOLVED -> {
                node(id);
                id.connect(ConnectionParameters.defaults());
            }
            case CONNECT_REQUEST -> {
                if (nodes.size() == settings.peers()) {
                    id.reject();
                    id.close();
                } else {
                    node(id);
                    id.accept(ConnectionParameters.defaults());
                    ready++;
                }
            }
            case ESTABLISHED, MULTICAST_JOIN -> {
                Objects.requireNonNull(nodes.get(id))
                        .destination(event.datagrams().orElseThrow());
                ready++;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL, MULTICAST_ERROR ->
                event.expect(CmEventType.ESTABLISHED);
            case CONNECT_RESPONSE, DISCONNECTED, ADDR_CHANGE, TIMEWAIT_EXIT, UNKNOWN -> {}
        }
    }

    private void node(CmId id) {
        ProtectionDomain domain = domains.computeIfAbsent(id.context(), Context::allocateProtectionDomain);
        nodes.put(id, new DatagramNode(id, domain, settings));
    }

    @Override
    public void close() {
        nodes.values().forEach(DatagramNode::close);
        domains.values().forEach(ProtectionDomain::close);
    }
}
