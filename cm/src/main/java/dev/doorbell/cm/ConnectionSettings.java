package dev.doorbell.cm;

import dev.doorbell.spec.PortSpace;
import dev.doorbell.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Connector} makes its connections: the queue pairs, the parameters, what happens between. Immutable; the
 * {@code with} methods change one thing.
 *
 * <p>Thread rules: immutable; what it is given is called in the thread that connects or accepts.
 */
public final class ConnectionSettings {
    private static final int DEPTH = 64;
    private static final int BACKLOG = 128;
    private static final int UNSET = -1;
    private static final ConnectionSettings DEFAULTS = new ConnectionSettings();

    private PortSpace space = PortSpace.TCP;
    private ConnectionParameters parameters = ConnectionParameters.defaults();
    private @Nullable InetSocketAddress local;
    private @Nullable Function<CmId, QueuePair.Builder> queuePairs;
    private Consumer<QueuePair> preparation = queuePair -> {};
    private int sends = DEPTH;
    private int receives = DEPTH;
    private int typeOfService = UNSET;
    private int ackTimeout = UNSET;
    private int backlog = BACKLOG;
    private boolean reuseAddress;
    private boolean ipv6Only;

    private ConnectionSettings() {}

    /** Port space TCP, 64 sends and receives of one element each, default parameters, a backlog of 128. */
    public static ConnectionSettings defaults() {
        return DEFAULTS;
    }

    private ConnectionSettings with(Consumer<ConnectionSettings> change) {
        ConnectionSettings copy = new ConnectionSettings();
        copy.space = space;
        copy.parameters = parameters;
        copy.local = local;
        copy.queuePairs = queuePairs;
        copy.preparation = preparation;
        copy.sends = sends;
        copy.receives = receives;
        copy.typeOfService = typeOfService;
        copy.ackTimeout = ackTimeout;
        copy.backlog = backlog;
        copy.reuseAddress = reuseAddress;
        copy.ipv6Only = ipv6Only;
        change.accept(copy);
        return copy;
    }

    /** The port space, of connections: TCP or IB. */
    public ConnectionSettings withPortSpace(PortSpace value) {
        return with(copy -> copy.space = value);
    }

    /** What is asked of the peer. */
    public ConnectionSettings withParameters(ConnectionParameters value) {
        return with(copy -> copy.parameters = value);
    }

    /** Own address to connect from; the one that the route gives otherwise. */
    public ConnectionSettings withLocalAddress(InetSocketAddress value) {
        return with(copy -> copy.local = value);
    }

    /** Work requests that the queues of the connector's queue pairs hold. */
    public ConnectionSettings withDepth(int newSends, int newReceives) {
        return with(copy -> {
            copy.sends = newSends;
            copy.receives = newReceives;
        });
    }

    /**
     * Describes queue pairs of the program's own making: with its protection domain and completion queues, which it closes
     * itself. The identifier tells the context.
     */
    public ConnectionSettings withQueuePairs(Function<CmId, QueuePair.Builder> value) {
        return with(copy -> copy.queuePairs = value);
    }

    /** What is done with each queue pair before the peer can send, such as posting receives. */
    public ConnectionSettings withPreparation(Consumer<QueuePair> value) {
        return with(copy -> copy.preparation = value);
    }

    /** The type of service of its packets, 0 to 255. */
    public ConnectionSettings withTypeOfService(int value) {
        return with(copy -> copy.typeOfService = value);
    }

    /** The code of the local ACK timeout, 0 to 31. */
    public ConnectionSettings withAckTimeout(int code) {
        return with(copy -> copy.ackTimeout = code);
    }

    /** Requests that may wait at a listener; see {@link CmId#listen}. */
    public ConnectionSettings withBacklog(int value) {
        return with(copy -> copy.backlog = value);
    }

    /** Lets others bind to the same port who allow it too. */
    public ConnectionSettings withReuseAddress(boolean value) {
        return with(copy -> copy.reuseAddress = value);
    }

    /** Leaves IPv4 to others at an IPv6 wildcard address. */
    public ConnectionSettings withIpv6Only(boolean value) {
        return with(copy -> copy.ipv6Only = value);
    }

    PortSpace space() {
        return space;
    }

    ConnectionParameters parameters() {
        return parameters;
    }

    @Nullable
    InetSocketAddress local() {
        return local;
    }

    @Nullable
    Function<CmId, QueuePair.Builder> queuePairs() {
        return queuePairs;
    }

    Consumer<QueuePair> preparation() {
        return preparation;
    }

    int sends() {
        return sends;
    }

    int receives() {
        return receives;
    }

    int backlog() {
        return backlog;
    }

    void apply(CmId id) {
        if (typeOfService != UNSET) {
            id.typeOfService(typeOfService);
        }
        if (ackTimeout != UNSET) {
            id.ackTimeout(ackTimeout);
        }
        if (reuseAddress) {
            id.reuseAddress(true);
        }
        if (ipv6Only) {
            id.ipv6Only(true);
        }
    }
}
