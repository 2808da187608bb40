package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A receive queue that several queue pairs share (ibv_create_srq(3)): a message to any of them takes the oldest receive
 * work request. A server with many connections so needs buffers for the messages that come, and not for those that every
 * connection could send.
 *
 * <p>A receive completes into the receive completion queue of the queue pair that took it; its
 * {@link WorkCompletion#queuePairNumber()} says which that was. A queue pair that goes to the error state flushes what it
 * had taken, if a message was arriving in parts, and leaves the others to its peers; the event QP_LAST_WQE_REACHED says
 * that it takes no more.
 *
 * <p>Running dry: a message that finds the queue empty is refused as for any receive queue (the sender tries again after
 * the RNR timer). To post in time, {@link #armLimit} asks for one event when few are left.
 *
 * <p>Accounting: {@link #receiveCredit()} says how many receives are waiting. Each completion queue in which they can
 * complete commits room for all of them once, however many queue pairs share both, and for one more for each queue pair.
 *
 * <p>Closing forgets what is in it: as nothing took those work requests, nothing completes them. The memory that they
 * name may be used again when {@link #close()} has returned.
 *
 * <p>Thread rules: any method from any thread; batches exclude each other, with a spinning lock. A
 * {@linkplain Builder#singleThreaded() single-threaded} queue has no lock: one thread at a time may use it, and closing is
 * a use. The queue pairs that take from it may be used by other threads in any case.
 *
 * <p>A whole program, {@code examples/SharedReceiveServer.java}:
 * {@snippet file="SharedReceiveServer.java"}
 */
public final class SharedReceiveQueue implements AutoCloseable {
    private static final long CLOSE_PATIENCE_NS = 1_000_000_000;

    private final ProtectionDomain domain;
    private final ProviderSharedReceiveQueue provider;
    private final SharedReceives receives;
    private final ReceiveBatch batch;
    private final SharedReceiveBudget budget;
    private final Lifetime lifetime;
    private final AtomicReference<@Nullable Object> attachment;

    private SharedReceiveQueue(Builder asked, ProviderSharedReceiveQueue provider, long cookie) {
        String name = "shared receive queue " + provider.handle() + " of "
                + asked.domain.context().device().name();
        SharedReceives end = new SharedReceives(name, provider.receiveQueue(), asked.depth, asked.singleThreaded);
        this.domain = asked.domain;
        this.provider = provider;
        this.attachment = new AtomicReference<>(asked.attachment);
        this.receives = end;
        this.batch = new ReceiveBatch(this, end, domain);
        this.budget = new SharedReceiveBudget(asked.depth);
        EventTargets targets = domain.context().targets();
        this.lifetime = Lifetime.begin(
                name,
                mode -> {
                    release(end, provider, mode);
                    targets.remove(cookie);
                },
                domain.lifetime());
        targets.put(cookie, this);
        lifetime.watch(this);
    }

    private static void release(SharedReceives end, ProviderSharedReceiveQueue provider, Closing mode) {
        if (!end.turn.shut(CLOSE_PATIENCE_NS) && mode != Closing.LEAKED) {
            throw new InUseException(Refusal.of(Errno.EBUSY, "DESTROY_SRQ", end.name)
                    .rule(end.turn.holder() + " has a batch open")
                    .remedy("Submit or close the batch in that thread, then close the queue again"));
        }
        try {
            provider.close();
        } catch (RuntimeException e) {
            throw Refusal.of(e, "DESTROY_SRQ", end.name).exception();
        }
    }

    /** The protection domain that it belongs to. */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** What the program has attached to it ({@code srq_context}); null if nothing. */
    public @Nullable Object attachment() {
        return attachment.get();
    }

    /** Attaches an object of the program's in place of the one before, which it returns; null for none. */
    public @Nullable Object attach(@Nullable Object object) {
        return attachment.getAndSet(object);
    }

    /** The kernel's handle. */
    public int handle() {
        return provider.handle();
    }

    /** Most scatter/gather elements of a work request: at least what was asked for. */
    public int maxSge() {
        return receives.queue.maxSge();
    }

    /**
     * Opens the batch of receives (ibv_post_srq_recv(3)). Waits while another thread has it. Allocates nothing.
     *
     * @throws VerbsException EBUSY if this thread has the batch open already
     * @throws ClosedException after close
     */
    public ReceiveBatch receives() {
        return batch.begin();
    }

    /** Posts one receive of one element. Throws as {@link SendBatch#sge(MemoryRegion, long, long)}. */
    public void postReceive(long id, MemorySlice slice) {
        try (ReceiveBatch open = batch.begin()) {
            open.receive(id).sge(slice);
            open.submit();
        }
    }

    /** Receives that are posted and not taken by a message yet. */
    public int receiveCredit() {
        try {
            return receives.credit();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Asks for one event SRQ_LIMIT_REACHED, when a message leaves fewer receives than this (ibv_modify_srq(3)). The event
     * disarms it. If fewer are there already, the next message raises it.
     *
     * @param limit 0 disarms
     * @throws VerbsException EINVAL for more than the queue holds
     * @throws NotSupportedException if the device has no limits
     */
    public void armLimit(int limit) {
        lifetime.enter("MODIFY_SRQ");
        try {
            provider.arm(limit);
        } catch (RuntimeException e) {
            Refusal refusal = Refusal.of(e, "MODIFY_SRQ", receives.name);
            throw (refusal.errno == Errno.EINVAL
                            ? refusal.limit("limit " + limit, "0 to what the queue holds")
                            : refusal)
                    .exception();
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Gives it another depth; what is posted stays (ibv_modify_srq(3)). Waits while another thread has the batch open.
     *
     * @throws VerbsException EINVAL if more receives are posted, or the device allows fewer; ENOSPC if a completion queue
     *     could overflow then; ENOMEM
     * @throws DeviceUnavailableException EIO if the system could not map what the kernel made: until it is resized once more,
     *     posting is refused so
     * @throws NotSupportedException if the device does not resize ({@link dev.doorbell.spec.DeviceCapability#SRQ_RESIZE})
     */
    public void resize(int depth) {
        lifetime.enter("MODIFY_SRQ");
        try {
            SharedReceiveRefusals.checkDepth(depth, receives.name, domain.context());
            receives.turn.begin("MODIFY_SRQ");
            try {
                budget.resize(depth, () -> provider.resize(depth));
                receives.depth(depth);
                batch.forgetRoom();
            } finally {
                receives.turn.end();
            }
        } catch (VerbsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw SharedReceiveRefusals.resize(e, receives.name, depth, domain.context());
        } finally {
            lifetime.exit();
        }
    }

    /** What the kernel says of it (ibv_query_srq(3)). */
    public SharedReceiveQueueAttributes query() {
        return lifetime.call("QUERY_SRQ", provider::query);
    }

    /**
     * Its number, by which XRC peers name it (ibv_get_srq_num(3)).
     *
     * @throws NotSupportedException if the device has no XRC
     */
    public int number() {
        return lifetime.call("GET_SRQ_NUM", provider::number);
    }

    /**
     * Changes its list of tags (ibv_post_srq_ops(3)).
     *
     * @return the handle of the entry that was added
     * @throws NotSupportedException if the device does not match tags
     */
    public int changeTags(TagList change) {
        return lifetime.call("POST_SRQ_OPS", () -> provider.changeTags(change));
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Destroys it (ibv_destroy_srq(3)). Idempotent. Waits up to a second for a batch in another thread.
     *
     * @throws VerbsException EBUSY with their list while queue pairs take from it, or while another thread posts
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    ProviderSharedReceiveQueue provider() {
        return provider;
    }

    SharedReceiveBudget budget() {
        return budget;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }

    /** Describes a shared receive queue: one element each, no limit, unless told. */
    public static final class Builder {
        private final ProtectionDomain domain;
        private final int depth;
        private int sge = 1;
        private int limit;
        private boolean singleThreaded;
        private @Nullable Object attachment;

        Builder(ProtectionDomain domain, int depth) {
            this.domain = domain;
            this.depth = depth;
        }

        /** Most scatter/gather elements of a work request. */
        public Builder sge(int value) {
            sge = value;
            return this;
        }

        /** Arms the limit from the beginning; see {@link SharedReceiveQueue#armLimit}. */
        public Builder limit(int value) {
            limit = value;
            return this;
        }

        /** What is {@linkplain SharedReceiveQueue#attach attached} to it from the beginning. */
        public Builder attachment(@Nullable Object object) {
            attachment = object;
            return this;
        }

        /** Promises that one thread at a time posts to it, which saves the lock. */
        public Builder singleThreaded() {
            singleThreaded = true;
            return this;
        }

        /**
         * Creates it.
         *
         * @throws VerbsException EINVAL or ENOMEM with asked and allowed for sizes that the device does not have
         * @throws NotSupportedException if the device has no shared receive queues
         */
        public SharedReceiveQueue build() {
            Lifetime parent = domain.lifetime();
            parent.enter("CREATE_SRQ");
            try {
                Context context = domain.context();
                long cookie = context.targets().newCookie();
                return new SharedReceiveQueue(
                        this,
                        context.provider().createSharedReceiveQueue(domain.handle(), depth, sge, limit, cookie),
                        cookie);
            } catch (VerbsException e) {
                throw e;
            } catch (RuntimeException e) {
                throw SharedReceiveRefusals.create(e, domain, depth, sge);
            } finally {
                parent.exit();
            }
        }
    }
}
