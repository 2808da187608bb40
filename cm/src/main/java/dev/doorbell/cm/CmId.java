package dev.doorbell.cm;

import dev.doorbell.kernel.AddressText;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A communication identifier (rdma_create_id(3)): one end of a connection, a listener, or where datagrams come and go.
 *
 * <pre>
 *   connects   resolveAddress ─ ADDR_RESOLVED ─ resolveRoute ─ ROUTE_RESOLVED ─ createQueuePair ─ connect ─ ESTABLISHED
 *   listens    bind ─ listen ─ CONNECT_REQUEST with a new identifier ─ createQueuePair ─ accept ─ ESTABLISHED
 *   ends       disconnect on one side ─ DISCONNECTED on both ─ disconnect on the other ─ close
 * </pre>
 *
 * <p>What begins with a verb returns at once; what comes of it is an event of the {@linkplain #channel() channel}. With a queue
 * pair that the identifier knows the library moves it through its states: receives may be posted from
 * {@link #createQueuePair} on, sends from ESTABLISHED on. Without one a program does that itself, with
 * {@link #queuePairAttributes}, and confirms a {@link dev.doorbell.spec.CmEventType#CONNECT_RESPONSE} with
 * {@link #establish()}.
 *
 * <p>Thread rules: any method from any thread. Calls that are out of order are refused by the kernel, with EINVAL.
 */
public final class CmId implements AutoCloseable {
    private final PortSpace space;
    private final QueuePairType type;
    private final @Nullable CmId listener;
    private final long cookie;
    private final int number;
    private final DeviceContexts contexts;
    private final Life life;
    private final Set<MulticastMembership> memberships = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Object> attachment;
    private final IdQueuePair queuePair;

    private volatile EventChannel channel;
    private volatile IdAddress address = IdAddress.NONE;
    private volatile @Nullable Context context;
    private volatile @Nullable ConnectionParameters request;
    private volatile boolean connected;

    CmId(EventChannel channel, PortSpace space, QueuePairType type, @Nullable CmId listener, long cookie, int number) {
        this.channel = channel;
        this.space = space;
        this.type = type;
        this.listener = listener;
        this.cookie = cookie;
        this.number = number;
        this.contexts = channel.contexts();
        this.life = new Life("CM id " + number);
        this.attachment = new AtomicReference<>(listener == null ? null : listener.attachment());
        this.queuePair = new IdQueuePair(this);
        contexts.retain();
    }

    /** The channel where its events arrive. */
    public EventChannel channel() {
        return channel;
    }

    /** Its port space. */
    public PortSpace portSpace() {
        return space;
    }

    /** The type of its queue pair. */
    public QueuePairType type() {
        return type;
    }

    /** The listener that it came from; empty if the program created it. */
    public Optional<CmId> listener() {
        return Optional.ofNullable(listener);
    }

    /**
     * What the program has attached to it ({@code context} of rdma_create_id(3)); null if nothing. The identifier of a request
     * begins with what its listener has.
     */
    public @Nullable Object attachment() {
        return attachment.get();
    }

    /** Attaches an object of the program's in place of the one before, which it returns; null for none. */
    public @Nullable Object attach(@Nullable Object object) {
        return attachment.getAndSet(object);
    }

    int number() {
        return number;
    }

    String name() {
        return life.name();
    }

    long cookie() {
        return cookie;
    }

    CmCommands commands() {
        return channel.commands();
    }

    /**
     * Binds it to an address of this host (rdma_bind_addr(3)): one of a device, or the wildcard address, which listens on all
     * devices. Port 0 takes a free one; {@link #localAddress()} says which. The scope of a link-local address counts.
     *
     * @throws CmException EADDRINUSE, EADDRNOTAVAIL, ENODEV; EACCES for a port below 1024 without the right
     */
    public void bind(InetSocketAddress local) {
        life.run("BIND", () -> {
            commands().bind(this, local);
            refresh();
        });
    }

    /**
     * Waits for requests from now on (rdma_listen(3)), each a CONNECT_REQUEST event.
     *
     * @param backlog requests that may wait to be read as events. Further ones are not answered, so that the peer repeats
     *     them; it is not told that the backlog is full. 0, and more than the kernel's limit, stand for that limit: 1024 unless
     *     an administrator has set another (net.rdma_ucm.max_backlog)
     */
    public void listen(int backlog) {
        life.run("LISTEN", () -> {
            commands().listen(this, backlog);
            refresh();
        });
    }

    /** As {@link #resolveAddress(InetSocketAddress, InetSocketAddress, Duration)}, from any address of this host. */
    public void resolveAddress(InetSocketAddress peer, Duration timeout) {
        resolveAddress(null, peer, timeout);
    }

    /**
     * Finds the device and the GIDs for an address (rdma_resolve_addr(3)); ADDR_RESOLVED or ADDR_ERROR follow.
     *
     * @param from own address to bind to; null for the one that the route gives
     * @throws CmException ENETUNREACH, EADDRNOTAVAIL, ENODEV where the kernel sees it at once; EINVAL for a name without address
     */
    public void resolveAddress(@Nullable InetSocketAddress from, InetSocketAddress peer, Duration timeout) {
        life.run("RESOLVE_ADDR", () -> commands().resolveAddress(this, from, peer, Waits.millis(timeout)));
    }

    /** Finds the path to the resolved address (rdma_resolve_route(3)); ROUTE_RESOLVED or ROUTE_ERROR follow. */
    public void resolveRoute(Duration timeout) {
        life.run("RESOLVE_ROUTE", () -> commands().resolveRoute(this, Waits.millis(timeout)));
    }

    /** Own address; empty before it is bound. */
    public Optional<InetSocketAddress> localAddress() {
        return Optional.ofNullable(address.local());
    }

    /** Address of the peer; empty for a listener and before resolution. */
    public Optional<InetSocketAddress> peerAddress() {
        return Optional.ofNullable(address.peer());
    }

    /** Port of the device; 0 before the device is known. */
    public int port() {
        return address.port();
    }

    /** The paths that were resolved. */
    public List<Route> routes() {
        return life.call("QUERY", () -> Route.read(commands().queryPaths(this)));
    }

    /**
     * The device, open. It is one of the channel's contexts, or is opened now and shared with the channel's other identifiers.
     *
     * @throws CmException EINVAL before the device is known: after ADDR_RESOLVED, in CONNECT_REQUEST, or bound to one address
     */
    public Context context() {
        Context known = context;
        if (known != null) {
            return known;
        }
        return life.call("find device", () -> {
            var guid = address.device();
            if (guid == null) {
                throw new CmException(
                        "find device",
                        life.name(),
                        Errno.EINVAL,
                        "it has no device yet",
                        "Resolve an address first, or bind to an address of one device",
                        null);
            }
            Context found = contexts.of(guid);
            context = found;
            return found;
        });
    }

    /**
     * Creates its queue pair (rdma_create_qp(3)): the builder says everything but type and port. It can take receives then; a
     * queue pair for datagrams can also send. It is closed with the identifier.
     *
     * @param builder of a protection domain of {@link #context()}
     * @throws VerbsException as {@link QueuePair.Builder#build()} and {@link QueuePair#modify}; EINVAL if it has one
     */
    public QueuePair createQueuePair(QueuePair.Builder builder) {
        return life.call("create queue pair", () -> queuePair.create(builder));
    }

    /** Takes a queue pair of the program's, in RESET, which stays the program's to close. Otherwise as {@link #createQueuePair}. */
    public void useQueuePair(QueuePair program) {
        life.run("use queue pair", () -> queuePair.use(program));
    }

    /**
     * Gives its queue pair up (rdma_destroy_qp(3)), and closes it if it created it: another one may follow, for a new attempt to
     * connect or to accept. Nothing happens if it has none.
     */
    public void releaseQueuePair() {
        life.run("release queue pair", queuePair::release);
    }

    /** Its queue pair; empty if it has none. */
    public Optional<QueuePair> queuePair() {
        return Optional.ofNullable(queuePair.get());
    }

    @Nullable
    QueuePair queuePairOrNull() {
        return queuePair.get();
    }

    /**
     * Asks the peer for a connection (rdma_connect(3)); in a datagram port space, for its queue pair. ESTABLISHED, REJECTED,
     * UNREACHABLE or CONNECT_ERROR follow; a peer that is silent is given up after about a minute, so close it earlier where
     * that is too long.
     *
     * @throws CmException EINVAL for more private data than {@link ConnectionParameters#CONNECT_DATA}, or 180 bytes for
     *     datagrams
     */
    public void connect(ConnectionParameters parameters) {
        int limit = isDatagram() ? ConnectionParameters.CONNECT_DATAGRAM_DATA : ConnectionParameters.CONNECT_DATA;
        ConnectionParameters.checkPrivateData(life.name(), "CONNECT", parameters.privateDataLength(), limit);
        life.run("CONNECT", () -> commands().connect(this, agreed(parameters), queuePair.sharesReceives()));
    }

    /**
     * Accepts a request (rdma_accept(3)); ESTABLISHED follows when the peer has confirmed, but for datagrams. The queue pair
     * can send when this returns.
     *
     * @throws CmException EINVAL for more private data than {@link ConnectionParameters#ACCEPT_DATA}, or 136 bytes for
     *     datagrams, and if the peer has given up meanwhile
     */
    public void accept(ConnectionParameters parameters) {
        int limit = isDatagram() ? ConnectionParameters.ACCEPT_DATAGRAM_DATA : ConnectionParameters.ACCEPT_DATA;
        ConnectionParameters.checkPrivateData(life.name(), "ACCEPT", parameters.privateDataLength(), limit);
        life.run("ACCEPT", () -> {
            ConnectionParameters agreed = agreed(parameters);
            if (!isDatagram()) {
                queuePair.bringUp(agreed.responderResources(), agreed.initiatorDepth());
            }
            commands().accept(this, agreed, queuePair.sharesReceives());
        });
    }

    /** What is asked for, with the automatic values filled in, and the queue pair's number. */
    private ConnectionParameters agreed(ConnectionParameters asked) {
        ConnectionParameters filled = Depths.fill(asked, request, isDatagram() ? null : contexts.attributes(context()));
        QueuePair mine = queuePair.get();
        return mine == null ? filled : filled.withQueuePair(mine.number(), filled.qkey());
    }

    /**
     * Rejects a request (rdma_reject(3)). The peer sees {@link dev.doorbell.spec.RejectReason#CONSUMER_DEFINED} with the data.
     * Close the identifier afterwards.
     *
     * @param privateData at most {@link ConnectionParameters#REJECT_DATA} bytes, 136 for datagrams
     */
    public void reject(byte... privateData) {
        int limit = isDatagram() ? ConnectionParameters.ACCEPT_DATAGRAM_DATA : ConnectionParameters.REJECT_DATA;
        ConnectionParameters.checkPrivateData(life.name(), "REJECT", privateData.length, limit);
        reject(0, privateData);
    }

    /** As {@link #reject}, because of the vendor options that the peer wants (rdma_reject_ece(3)); the peer sees that reason. */
    public void rejectVendorOptions(byte... privateData) {
        ConnectionParameters.checkPrivateData(
                life.name(), "REJECT", privateData.length, ConnectionParameters.REJECT_DATA);
        reject(RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code(), privateData);
    }

    private void reject(int reason, byte... privateData) {
        life.run("REJECT", () -> commands().reject(this, reason, privateData));
    }

    /**
     * Confirms the peer's answer, CONNECT_RESPONSE, after the program has brought its own queue pair to RTS
     * (rdma_establish(3)). With a queue pair that it knows the library does that.
     */
    public void establish() {
        life.run("ACCEPT", () -> {
            commands().confirm(this);
            connected = true;
        });
    }

    /** Tells the kernel that the first message has come before the peer's confirmation (rdma_notify(3)). */
    public void notify(AsyncEventType event) {
        life.run("NOTIFY", () -> commands().notify(this, event.code()));
    }

    /**
     * Ends the connection, or agrees to its end (rdma_disconnect(3)); DISCONNECTED follows on both sides. What is outstanding
     * on the queue pair is flushed.
     */
    public void disconnect() {
        life.run("DISCONNECT", () -> {
            failQueuePair();
            commands().disconnect(this);
            connected = false;
        });
    }

    /** With what a queue pair goes to INIT, RTR or RTS (rdma_init_qp_attr(3)). */
    public QueuePairAttributes queuePairAttributes(QueuePairState state) {
        return QueuePairMoves.decode(queryAttributes(state), state);
    }

    MemorySegment queryAttributes(QueuePairState state) {
        return life.call("INIT_QP_ATTR", () -> commands().initQueuePairAttributes(this, state.code()));
    }

    /**
     * Joins a multicast group (rdma_join_multicast(3)); MULTICAST_JOIN or MULTICAST_ERROR follow. The identifier is bound, or
     * has resolved the group's address.
     *
     * @param sendOnly whether nothing of the group is to be received
     */
    public MulticastMembership joinMulticast(InetSocketAddress group, boolean sendOnly) {
        return life.call("JOIN_MCAST", () -> channel.join(this, group, sendOnly));
    }

    /** Sets the type of service of its packets (RDMA_OPTION_ID_TOS), 0 to 255; before the route is resolved. */
    public void typeOfService(int value) {
        life.run("SET_OPTION", () -> IdOption.TYPE_OF_SERVICE.set(this, commands(), value));
    }

    /** Sets the code of the local ACK timeout (RDMA_OPTION_ID_ACK_TIMEOUT), 0 to 31: 4.096 µs · 2^code; before connecting. */
    public void ackTimeout(int code) {
        life.run("SET_OPTION", () -> IdOption.ACK_TIMEOUT.set(this, commands(), code));
    }

    /** Lets others bind to the same port who allow it too (RDMA_OPTION_ID_REUSEADDR); before it is bound. */
    public void reuseAddress(boolean value) {
        life.run("SET_OPTION", () -> IdOption.REUSE_ADDRESS.set(this, commands(), value ? 1 : 0));
    }

    /** Leaves IPv4 to others when it listens at an IPv6 wildcard address (RDMA_OPTION_ID_AFONLY); before it is bound. */
    public void ipv6Only(boolean value) {
        life.run("SET_OPTION", () -> IdOption.IPV6_ONLY.set(this, commands(), value ? 1 : 0));
    }

    /**
     * Moves it to another channel of the same kernel (rdma_migrate_id(3)): its events, also those that have not been read yet,
     * arrive there from now on.
     */
    public void migrate(EventChannel to) {
        life.run("MIGRATE_ID", () -> {
            EventChannel from = channel;
            if (from != to) {
                to.take(this, memberships, from);
                channel = to;
            }
        });
    }

    /** Whether it is connected as far as the events that were read tell. */
    public boolean isConnected() {
        return connected;
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return life.isOpen();
    }

    void connected(boolean value) {
        connected = value;
    }

    void requested(ConnectionParameters parameters) {
        request = parameters;
    }

    boolean isDatagram() {
        return type == QueuePairType.UD;
    }

    /** Asks the kernel for its ends again. */
    void refresh() {
        address = life.call("QUERY", () -> IdAddress.read(commands().queryAddress(this)));
    }

    /** The peer has answered: brings the queue pair up and confirms. */
    void complete() {
        life.run("ACCEPT", () -> {
            queuePair.bringUp(ConnectionParameters.AUTOMATIC, ConnectionParameters.AUTOMATIC);
            commands().confirm(this);
            connected = true;
        });
    }

    /** The connection has failed or ended: lets what is outstanding flush. */
    void failQueuePair() {
        queuePair.fail();
    }

    void add(MulticastMembership membership) {
        memberships.add(membership);
    }

    void forget(MulticastMembership membership) {
        memberships.remove(membership);
        channel.forget(membership);
    }

    /**
     * Closes it (rdma_destroy_id(3)): disconnects if it is connected, closes the queue pair that it created, leaves its groups.
     * Requests that a listener's program has not seen yet are rejected. Events that were not read are forgotten. Idempotent.
     */
    @Override
    public void close() {
        life.close(() -> {
            try {
                memberships.forEach(MulticastMembership::close);
                if (connected) {
                    failQueuePair();
                    commands().disconnect(this);
                }
            } catch (VerbsException e) {
                // The peer, the device or the channel is gone already; what follows frees the rest.
            } finally {
                connected = false;
                destroy();
            }
        });
    }

    private void destroy() {
        try {
            queuePair.close();
        } finally {
            try {
                commands().destroy(CmCommand.DESTROY_ID, life.name(), number);
            } catch (ClosedException e) {
                // The kernel has destroyed it with the channel.
            } finally {
                channel.forget(this);
                contexts.release();
            }
        }
    }

    @Override
    public String toString() {
        IdAddress known = address;
        return life.name()
                + (known.local() == null ? "" : " at " + AddressText.of(known.local()))
                + (known.peer() == null ? "" : " to " + AddressText.of(known.peer()));
    }
}
