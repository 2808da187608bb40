package dev.doorbell.verbs;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair (ibv_create_qp(3)): a send queue and a receive queue, connected to a peer's.
 *
 * <p>Two queue pairs are connected by exchanging their {@link #endpoint()} and calling {@link #connect(Endpoint)} on each
 * side; one for datagrams is only {@linkplain #activate() activated}. {@link #batch()} posts to the send queue,
 * or {@link #postSend postSend}, {@link #postWrite postWrite} and {@link #postRead postRead} where it is one work request;
 * {@link #receives()} to the receive queue; completions come to the completion queues.
 *
 * <p>Accounting: {@link #sendSlots()} and {@link #receiveCredit()} say what the queues can still take. The queues hold
 * exactly what was asked for. A work request that is not signaled keeps its slot until the device has retired it.
 *
 * <p>Closing takes two phases. First the queues refuse new work and the queue pair goes to the error state, in which the
 * device flushes what is outstanding; then, when all is flushed or the time is up, it is destroyed. Each outstanding work
 * request, signaled or not, comes back exactly once through its completion queue, with the status WR_FLUSH_ERR or what
 * became of it: poll the completion queue after closing to collect them. What the device did not flush in time, the
 * completion queue reports as flushed once its ring is empty.
 *
 * <p>Thread rules: any method from any thread; batches on one queue exclude each other, with a spinning lock, and send and
 * receive queue are independent. A {@linkplain Builder#singleThreaded() single-threaded} queue pair has no lock: one
 * thread at a time may use it, and closing is a use.
 *
 * <p>A whole program, {@code examples/HelloSend.java}:
 * {@snippet file="HelloSend.java"}
 */
public final class QueuePair extends SinglePosts implements AutoCloseable {
    private final ProtectionDomain domain;
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final QueuePairPlan asked;
    private final QueuePairCapacity capacity;
    private final int number;
    private final int handle;
    private final Lifetime lifetime;
    private final SendBatch sendBatch;
    private final @Nullable ReceiveBatch receiveBatch;
    private final AtomicReference<@Nullable Object> attachment;
    private volatile @Nullable QueuePairAddress address;

    QueuePair(QueuePairPlan asked, ProviderQueuePair provider, CompletionPromise promise) {
        super(asked, new QueuePairCore(asked, provider, promise));
        this.asked = asked;
        this.domain = asked.domain;
        this.sendCompletions = asked.sendCompletions;
        this.receiveCompletions = asked.receiveCompletions;
        this.attachment = new AtomicReference<>(asked.attachment);
        this.number = provider.number();
        this.handle = provider.handle();
        QueuePairCapacity granted = provider.capacity();
        this.capacity = new QueuePairCapacity(
                asked.sendDepth,
                asked.receiveDepth,
                granted.maxSendSge(),
                granted.maxReceiveSge(),
                granted.maxInline());
        this.sendBatch = new SendBatch(this, core);
        ReceiveEnd own = core.receives;
        this.receiveBatch = own == null ? null : new ReceiveBatch(this, own, domain);
        this.lifetime = Lifetime.begin(core.name, core, asked.parents().toArray(new Lifetime[0]));
        lifetime.watch(this);
    }

    /** The protection domain that it belongs to. */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** Where its sends complete. */
    public CompletionQueue sendCompletions() {
        return sendCompletions;
    }

    /** Where its receives complete. */
    public CompletionQueue receiveCompletions() {
        return receiveCompletions;
    }

    /** The shared receive queue that it takes its receives from; empty if it has a receive queue of its own. */
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return Optional.ofNullable(asked.sharedReceives);
    }

    /** Its transport service. */
    public QueuePairType type() {
        return asked.type;
    }

    /**
     * Whether it has an operation: what its service knows, as far as the device offers it (the send operations of
     * ibv_create_qp_ex(3)). One that only the device lacks is refused with {@link NotSupportedException} when it is put
     * into a batch, one that the service lacks with EINVAL.
     */
    public boolean supports(WorkRequestOpcode operation) {
        return operation != WorkRequestOpcode.UNKNOWN && (core.operations >>> operation.code() & 1) != 0;
    }

    /** What the driver may have beyond other drivers. */
    <T> T extend(String operation, Function<ProviderQueuePair, T> body) {
        return lifetime.call(operation, () -> body.apply(core.provider));
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** Its number, by which peers and completions name it; 24 bits. */
    public int number() {
        return number;
    }

    /** What the program has attached to it ({@code qp_context}); null if nothing. */
    public @Nullable Object attachment() {
        return attachment.get();
    }

    /** Attaches an object of the program's in place of the one before, which it returns; null for none. */
    public @Nullable Object attach(@Nullable Object object) {
        return attachment.getAndSet(object);
    }

    /** The kernel's handle. */
    public int handle() {
        return handle;
    }

    /** Its sizes: depths as asked for, elements and inline bytes as granted, which may be more. */
    public QueuePairCapacity capacity() {
        return capacity;
    }

    /** Everything that the peer needs to connect. The port is looked at and a GID is chosen the first time. */
    public Endpoint endpoint() {
        return address().endpoint();
    }

    /** The GID that it uses, and why. */
    public GidChoice gid() {
        return address().gid();
    }

    private QueuePairAddress address() {
        QueuePairAddress known = address;
        if (known == null) {
            lifetime.enter("endpoint");
            try {
                known = QueuePairAddress.of(domain.context(), asked.type, number, asked);
                address = known;
            } finally {
                lifetime.exit();
            }
        }
        return known;
    }

    /**
     * Goes from RESET to INIT, so that receives can be posted before the peer can send. {@link #connect} does it by itself
     * otherwise.
     */
    public void initialize() {
        new Connecting(this, address(), ConnectOptions.defaults()).initialize();
    }

    /**
     * Brings a datagram queue pair up: from RESET or INIT over RTR to RTS, with its Q_Key. It has no peer.
     *
     * @throws VerbsException EINVAL for another type and in another state
     */
    public void activate() {
        lifetime.require("activate");
        new Connecting(this, address(), ConnectOptions.defaults()).activate();
    }

    /**
     * Receives from now on what is sent to a multicast group (ibv_attach_mcast(3)), until it is detached or closed.
     *
     * @throws VerbsException EINVAL if this is not UD or that no group; ENOMEM for a group or a member too many
     */
    public void attachMulticast(Gid group) {
        call("ATTACH_MCAST", () -> core.groups.attach(group, asked.type));
    }

    /**
     * Receives no more of a group (ibv_detach_mcast(3)).
     *
     * @throws VerbsException EINVAL if it does not receive it
     */
    public void detachMulticast(Gid group) {
        call("DETACH_MCAST", () -> core.groups.detach(group));
    }

    private void call(String operation, Runnable command) {
        lifetime.enter(operation);
        try {
            command.run();
        } finally {
            lifetime.exit();
        }
    }

    /** As {@link #connect(Endpoint, ConnectOptions)}, with the defaults. */
    public Connection connect(Endpoint peer) {
        return connect(peer, ConnectOptions.defaults());
    }

    /**
     * Connects to a peer: from RESET or INIT over RTR to RTS. Both sides have to do it; in which order does not matter, but
     * a peer that sends early is only heard here after this.
     *
     * @return what is in force now
     * @throws VerbsException EINVAL in another state or for a peer of another type, and what {@link #modify} throws; the
     *     queue pair may then have got to INIT or RTR
     */
    public Connection connect(Endpoint peer, ConnectOptions options) {
        lifetime.require("connect");
        return new Connecting(this, address(), options).connect(peer);
    }

    /**
     * Changes attributes (ibv_modify_qp(3)). The kernel decides; where it refuses with EINVAL, the message says which
     * attributes the transition lacks or does not take. Going to RESET forgets what is outstanding, without completions.
     *
     * @throws VerbsException with the kernel's errno
     */
    public void modify(QueuePairAttributes attributes) {
        boolean toState = attributes.has(QueuePairAttribute.STATE);
        lifetime.enter("MODIFY_QP");
        try {
            if (toState && attributes.state() == QueuePairState.RESET) {
                core.reset(attributes);
            } else {
                core.provider.modify(attributes);
            }
            if (toState) {
                core.state = attributes.state();
            }
        } catch (VerbsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw ModifyDiagnosis.explain(e, this, attributes);
        } finally {
            lifetime.exit();
        }
    }

    /** Every attribute that the kernel reports (ibv_query_qp(3)). */
    public QueuePairAttributes query() {
        return lifetime.call("QUERY_QP", () -> {
            QueuePairAttributes attributes = core.provider.query();
            core.state = attributes.state();
            return attributes;
        });
    }

    /**
     * The state that the last {@link #modify} or {@link #query} left it in. The device may have gone on to ERROR since; ask
     * {@link #query} to be sure.
     */
    public QueuePairState state() {
        return core.state;
    }

    /**
     * Opens the batch of the send queue. Waits while another thread has it. Allocates nothing.
     *
     * @throws VerbsException EINVAL before RTS, as in C; EBUSY if this thread has the batch open already
     * @throws ClosedException after close
     */
    public SendBatch batch() {
        return sendBatch.begin();
    }

    /**
     * Opens the batch of the receive queue. Waits while another thread has it. Allocates nothing.
     *
     * @throws VerbsException EINVAL in RESET, as in C, and if it takes from a {@linkplain #sharedReceiveQueue() shared
     *     receive queue}; EBUSY if this thread has the batch open already
     * @throws ClosedException after close
     */
    public ReceiveBatch receives() {
        return ownReceives("post receive").begin();
    }

    private ReceiveBatch ownReceives(String operation) {
        ReceiveBatch own = receiveBatch;
        if (own == null) {
            throw SharedReceiveRefusals.notOwn(operation, core.name, Objects.requireNonNull(asked.sharedReceives));
        }
        return own;
    }

    /** Posts one receive of one element. Throws as {@link SendBatch#sge(MemoryRegion, long, long)}. */
    public void postReceive(long id, MemorySlice slice) {
        try (ReceiveBatch batch = receives()) {
            batch.receive(id).sge(slice);
            batch.submit();
        }
    }

    /** Work requests that the send queue can take now. */
    public int sendSlots() {
        QueueTurn turn = core.sendTurn;
        if (turn.isMine()) {
            return sendBatch.room();
        }
        turn.begin("count send slots");
        try {
            return core.sendDepth - core.sendQueue.outstanding();
        } catch (InternalError e) {
            throw PostRefusals.lostRing("count send slots", core.name, e);
        } finally {
            turn.end();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Receives that are posted and not taken by a message yet.
     *
     * @throws VerbsException EINVAL if it takes from a shared receive queue, which counts them
     */
    public int receiveCredit() {
        try {
            return ownReceives("count receive credit").credit();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Closes it in two phases as described above, with a second for the first. Idempotent. */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    /**
     * Closes it in two phases as described above. Idempotent.
     *
     * @param patience time for the device to flush; zero destroys at once
     * @throws VerbsException EBUSY if another thread keeps a batch open for so long
     */
    public void close(Duration patience) {
        core.patienceNs = Deadline.nanos(patience);
        lifetime.close(Closing.ALONE);
    }

    @Override
    public String toString() {
        return core.name;
    }

    /** Describes a queue pair: RC, port 1, 64 work requests of one element each way, no inline bytes, unless told. */
    public static final class Builder extends QueuePairPlan {
        Builder(ProtectionDomain domain, CompletionQueue completions) {
            super(domain, completions);
        }

        /** The transport service. */
        public Builder type(QueuePairType value) {
            type = value;
            return this;
        }

        /** Where sends complete. */
        public Builder sendCompletions(CompletionQueue value) {
            sendCompletions = value;
            return this;
        }

        /** Where receives complete. */
        public Builder receiveCompletions(CompletionQueue value) {
            receiveCompletions = value;
            return this;
        }

        /** Takes receives from a shared queue instead of one of its own: the depth and elements of receives are 0 then. */
        public Builder sharedReceiveQueue(SharedReceiveQueue value) {
            sharedReceives = value;
            return this;
        }

        /** Work requests that the send queue and the receive queue hold. */
        public Builder depth(int sends, int receives) {
            sendDepth = sends;
            receiveDepth = receives;
            return this;
        }

        /** Most scatter/gather elements of a send and of a receive work request. */
        public Builder sge(int sends, int receives) {
            sendSge = sends;
            receiveSge = receives;
            return this;
        }

        /** Most inline bytes of a send work request. */
        public Builder inline(int bytes) {
            inline = bytes;
            return this;
        }

        /** Lets every send work request complete visibly, signaled or not. */
        public Builder signalAll() {
            signalAll = true;
            return this;
        }

        /** Promises that one thread at a time uses it, which saves the locks. */
        public Builder singleThreaded() {
            singleThreaded = true;
            return this;
        }

        /** Creates it also if its queues could overflow the completion queue; the program has to see to that. */
        public Builder allowCompletionQueueOvercommit() {
            mayOvercommit = true;
            return this;
        }

        /** The port, from 1. */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /** The slot of the port's GID table, instead of {@link Context#chooseGid}. */
        public Builder gidIndex(int value) {
            gidIndex = value;
            return this;
        }

        /** The packet sequence number that it sends first, 24 bits; random otherwise. */
        public Builder psn(int value) {
            psn = value;
            return this;
        }

        /** The Q_Key that datagrams to it must carry; random otherwise. Members of a group agree on one. */
        public Builder qkey(int value) {
            qkey = value;
            return this;
        }

        /** READs and atomics outstanding at a time, each way; otherwise 16, or what the device can. */
        public Builder readAtomicDepth(int value) {
            readAtomicDepth = value;
            return this;
        }

        /** What is {@linkplain QueuePair#attach attached} to it from the beginning. */
        public Builder attachment(@Nullable Object object) {
            attachment = object;
            return this;
        }

        /**
         * Creates it.
         *
         * @throws VerbsException ENOSPC if its queues could overflow a completion queue; EINVAL or ENOMEM with asked and
         *     allowed for sizes that the device does not have
         */
        public QueuePair build() {
            return new QueuePairCreation(this).run();
        }
    }
}
