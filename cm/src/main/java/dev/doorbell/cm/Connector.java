package dev.doorbell.cm;

import dev.doorbell.kernel.AddressText;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connects and listens in few lines: an event channel, and calls that wait for its events.
 *
 * <pre>{@code
 * try (Connector connector = Connector.open();
 *         CmConnection connection = connector.connect(new InetSocketAddress("192.0.2.7", 7471), Duration.ofSeconds(5))) {
 *     connection.queuePair().postSend(1, message);
 * }
 * }</pre>
 *
 * <p>A whole program, {@code examples/ConnectByAddress.java}:
 * {@snippet file="ConnectByAddress.java"}
 *
 * <p>Thread rules: any method from any thread; thousands of virtual threads may wait at the same time, each for its own
 * connection.
 */
public final class Connector implements AutoCloseable {
    private final EventChannel channel;
    private final EventPump pump;
    private final Life life;

    // Guarded by this.
    private final Map<Context, ProtectionDomain> domains = new HashMap<>();

    private Connector(EventChannel channel) {
        this.channel = channel;
        this.pump = new EventPump(channel);
        this.life = new Life("connector on " + channel);
    }

    /** Opens one on the kernel of {@link Device#preferred()}. Throws as {@link EventChannel#open(Device)}. */
    public static Connector open() {
        return new Connector(EventChannel.open());
    }

    /** Opens one on the kernel of this device. Throws as {@link EventChannel#open(Device)}. */
    public static Connector open(Device device) {
        return new Connector(EventChannel.open(device));
    }

    /** Opens one that uses these contexts. Throws as {@link EventChannel#open(Context...)}. */
    public static Connector open(Context... contexts) {
        return new Connector(EventChannel.open(contexts));
    }

    /** Connects to an address, with the default settings. */
    public CmConnection connect(InetSocketAddress peer, Duration deadline) {
        return connect(peer, ConnectionSettings.defaults(), deadline);
    }

    /**
     * Connects to an address: resolves it, finds the route, makes a queue pair, and waits until the peer has accepted. The queue
     * pair can send when this returns.
     *
     * @throws RejectedException if the peer refuses: reason INVALID_SERVICE_ID where nobody listens, CONSUMER_DEFINED by its
     *     program
     * @throws CmException ENETUNREACH or EHOSTUNREACH if there is no way to it, ETIMEDOUT if it is silent, its backlog stays
     *     full, or the time is up, EINTR if the thread is interrupted; nothing is left behind
     */
    public CmConnection connect(InetSocketAddress peer, ConnectionSettings settings, Duration deadline) {
        life.require("connect");
        EventPump.Timer timer = pump.timer(deadline);
        CmId id = channel.create(settings.space());
        pump.register(id);
        Ends ends = new Ends(id);
        try {
            settings.apply(id);
            id.resolveAddress(settings.local(), peer, timer.left());
            pump.expect(id, CmEventType.ADDR_RESOLVED, "resolving " + AddressText.of(peer), timer);
            id.resolveRoute(timer.left());
            pump.expect(id, CmEventType.ROUTE_RESOLVED, "finding the route to " + AddressText.of(peer), timer);
            ends.prepare(settings);
            id.connect(settings.parameters());
            CmEvent established =
                    pump.expect(id, CmEventType.ESTABLISHED, "connecting to " + AddressText.of(peer), timer);
            return ends.connected(established);
        } finally {
            ends.closeUnlessConnected();
        }
    }

    /** Listens at an address, with the default settings. */
    public Listener listen(InetSocketAddress local) {
        return listen(local, ConnectionSettings.defaults());
    }

    /**
     * Listens at an address of a device, or at the wildcard address on all devices. The settings serve for connections that are
     * {@linkplain Listener#accept accepted} too.
     *
     * @throws CmException EADDRINUSE, EADDRNOTAVAIL, ENODEV
     */
    public Listener listen(InetSocketAddress local, ConnectionSettings settings) {
        life.require("listen");
        CmId id = channel.create(settings.space());
        boolean listening = false;
        pump.register(id);
        try {
            settings.apply(id);
            id.bind(local);
            id.listen(settings.backlog());
            listening = true;
            return new Listener(this, id, settings);
        } finally {
            if (!listening) {
                pump.forget(id);
                id.close();
            }
        }
    }

    /** The channel below. Events that are read from it are lost to this connector's waits. */
    public EventChannel channel() {
        return channel;
    }

    EventPump pump() {
        return pump;
    }

    /** A protection domain of a context, shared by the connections of this connector. */
    synchronized ProtectionDomain domain(Context context) {
        return domains.computeIfAbsent(context, Context::allocateProtectionDomain);
    }

    /** The ends of a connection while it is made: queue pair and completion queue, or nothing. */
    final class Ends {
        private final CmId id;
        private @Nullable CompletionQueue completions;
        private @Nullable QueuePair queuePair;
        private boolean done;

        Ends(CmId id) {
            this.id = id;
        }

        /** Makes the queue pair, and lets the program do what it wants before the peer can send. */
        void prepare(ConnectionSettings settings) {
            if (queuePair == null) {
                QueuePair made = id.createQueuePair(builder(settings));
                queuePair = made;
                settings.preparation().accept(made);
            }
        }

        private QueuePair.Builder builder(ConnectionSettings settings) {
            var program = settings.queuePairs();
            if (program != null) {
                return program.apply(id);
            }
            Context context = id.context();
            CompletionQueue own = context.createCompletionQueue(Math.max(1, settings.sends() + settings.receives()));
            completions = own;
            return domain(context).queuePair(own).depth(settings.sends(), settings.receives());
        }

        CmConnection connected(CmEvent established) {
            done = true;
            return new CmConnection(
                    pump,
                    id,
                    id.queuePair().orElseThrow(),
                    completions,
                    established.parameters().orElse(ConnectionParameters.defaults()));
        }

        void closeUnlessConnected() {
            if (!done) {
                pump.forget(id);
                id.close();
                if (completions != null) {
                    completions.close();
                }
            }
        }
    }

    /**
     * Closes its connections and listeners, and what it opened for them. Completion queues and queue pairs of the program's own
     * making stay the program's. Idempotent.
     *
     * @throws dev.doorbell.verbs.VerbsException EBUSY if memory is still registered in a protection domain of its own; all the
     *     rest is closed then
     */
    @Override
    public void close() {
        life.close(() -> {
            for (CmId id : channel.ids()) {
                pump.forget(id);
                id.close();
            }
            try {
                synchronized (this) {
                    domains.values().forEach(ProtectionDomain::close);
                    domains.clear();
                }
            } finally {
                // Closes the contexts that were opened for it, and with them all that a program has left in the
                // domains.
                channel.close();
            }
        });
    }

    @Override
    public String toString() {
        return life.name();
    }
}
