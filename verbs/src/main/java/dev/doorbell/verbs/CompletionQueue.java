package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where work requests are reported when they are done (ibv_create_cq(3), ibv_poll_cq(3)).
 *
 * <p>Accounting: every queue pair that completes here takes the depths of its send and receive queues out of the
 * {@linkplain #capacity() capacity} when it is created, and is refused if they do not fit, so that the queue cannot
 * overflow as long as the program polls before it posts into slots again
 * ({@link QueuePair.Builder#allowCompletionQueueOvercommit()} leaves that to the program). A slot is free as soon as the
 * device has retired its work request, so a program that goes on posting without polling can overflow the queue all the
 * same: counting at every post what has been polled would cost each of them more than the accident is worth.
 *
 * <p>Overflow is final, and safe: completions that are in the queue stay and can be polled; the one that did not fit, and
 * all later ones, are lost. The event CQ_ERR says so once, and each queue pair that would have completed there goes to the
 * error state (event QP_FATAL). Close those queue pairs and the queue, and make it larger.
 *
 * <p>Thread rules: any method from any thread; rounds of polling exclude each other, with a spinning lock. A
 * {@linkplain Builder#singleThreaded() single-threaded} queue has no lock: one thread at a time may use it, and closing
 * is a use.
 */
public final class CompletionQueue implements AutoCloseable {
    private static final long CLOSE_PATIENCE_NS = 1_000_000_000;

    private final Context context;
    private final @Nullable CompletionChannel channel;
    private final int vector;
    private final ProviderCompletionQueue queue;
    private final CompletionEvents events;
    private final CompletionWaiting waiting;
    private final QueueTurn turn;
    private final CompletionCursor cursor;
    private final Flushes flushes;
    private final Lifetime lifetime;
    private final CompletionBudget budget;
    private final @Nullable DeviceClock clock;
    private final AtomicReference<@Nullable Object> attachment;

    CompletionQueue(Builder builder, ProviderCompletionQueue queue, CompletionEvents events) {
        String name = "completion queue " + queue.handle() + " of "
                + builder.context.device().name();
        QueueTurn turns = new QueueTurn(name, builder.singleThreaded);
        this.context = builder.context;
        this.channel = builder.channel;
        this.vector = builder.vector;
        this.attachment = new AtomicReference<>(builder.attachment);
        this.clock = builder.timestamps ? context.queryClock() : null;
        this.queue = queue;
        this.turn = turns;
        this.events = events;
        this.flushes = new Flushes(events::wake);
        this.cursor = new CompletionCursor(this, turns, queue, flushes);
        this.budget = new CompletionBudget(name, queue.capacity());
        this.waiting = new CompletionWaiting(this, context.progress(), builder.policy, events);
        this.lifetime = Lifetime.begin(name, new QueueRelease(name, turns, queue, events), builder.parents());
        events.connect(this);
        lifetime.watch(this);
    }

    private record QueueRelease(String name, QueueTurn turn, ProviderCompletionQueue queue, CompletionEvents events)
            implements Release {
        @Override
        public void release(Closing mode) {
            if (!turn.shut(CLOSE_PATIENCE_NS) && mode != Closing.LEAKED) {
                throw new InUseException(Refusal.of(Errno.EBUSY, "DESTROY_CQ", name)
                        .rule(turn.holder() + " has a round of polling open")
                        .remedy("Close the cursor in that thread, then close the queue again"));
            }
            try {
                queue.close();
            } catch (RuntimeException e) {
                throw Refusal.of(e, "DESTROY_CQ", name).exception();
            } finally {
                events.close();
            }
        }
    }

    /** The context that it belongs to. */
    public Context context() {
        return context;
    }

    /** What the program has attached to it ({@code cq_context}); null if nothing. */
    public @Nullable Object attachment() {
        return attachment.get();
    }

    /** Attaches an object of the program's in place of the one before, which it returns; null for none. */
    public @Nullable Object attach(@Nullable Object object) {
        return attachment.getAndSet(object);
    }

    /** The kernel's handle. */
    public int handle() {
        return queue.handle();
    }

    /** Its completion vector. */
    public int vector() {
        return vector;
    }

    /** Completions that it holds: at least what was asked for. */
    public int capacity() {
        return budget.capacity();
    }

    /** Completions that the queue pairs attached to it can have outstanding altogether. */
    public int committed() {
        return budget.committed();
    }

    /** How the device's clock stood when the queue was created; only with timestamps. */
    DeviceClock clock() {
        if (clock == null) {
            throw new IllegalStateException("no timestamps");
        }
        return clock;
    }

    /**
     * Gathers completions before it raises an event (ibv_modify_cq(3)).
     *
     * @param completions raise an event after so many, up to 65,535
     * @param period or after this time, in whole microseconds, up to 65,535 of them
     * @throws VerbsException EINVAL for more, or for less than nothing
     * @throws NotSupportedException if the device does not moderate
     */
    public void moderate(int completions, Duration period) {
        int micros = Moderation.micros(completions, period, lifetime.name());
        lifetime.run("MODIFY_CQ", () -> queue.moderate(completions, micros));
    }

    /**
     * Begins a round of polling. Waits while another thread has one. Allocates nothing.
     *
     * @throws ClosedException after close
     * @throws VerbsException EBUSY if this thread has a round open already
     */
    public CompletionCursor poll() {
        turn.begin("poll");
        return cursor;
    }

    /**
     * Polls once: gives what is there to a handler. Allocates nothing; an exception of the handler ends the round and comes
     * out, with the completion taken.
     *
     * @param max most completions to take
     * @return how many were taken
     */
    public int poll(int max, CompletionHandler handler) {
        turn.begin("poll");
        int taken = 0;
        try {
            while (taken < max && cursor.next()) {
                taken++;
                handler.onCompletion(cursor);
            }
        } finally {
            cursor.close();
            Reference.reachabilityFence(this);
        }
        return taken;
    }

    /**
     * Asks for one event on the channel at the next completion (ibv_req_notify_cq(3)). Asking again changes nothing. What
     * is there already makes no event: poll once more afterwards, or use {@link #drain}.
     *
     * @throws VerbsException EINVAL for a queue that was created without a channel: it has nobody to tell
     */
    public void arm() {
        requireChannel();
        request(false);
    }

    /**
     * As {@link #arm()}, but only a completion of a solicited message ({@link SendBatch#solicited()}) counts, and one that
     * failed. Asking for any completion outweighs asking for solicited ones.
     */
    public void armSolicited() {
        requireChannel();
        request(true);
    }

    /**
     * What to do when the channel says that this queue has an event: polls until it is empty, arms it, and polls again
     * until it is empty. So no completion waits for an event that does not come.
     *
     * @return how many completions were taken
     * @throws VerbsException EINVAL for a queue that was created without a channel
     */
    public int drain(CompletionHandler handler) {
        requireChannel();
        int taken = poll(Integer.MAX_VALUE, handler);
        request(false);
        return taken + poll(Integer.MAX_VALUE, handler);
    }

    private void requireChannel() {
        lifetime.require("REQ_NOTIFY_CQ");
        if (channel == null) {
            throw Refusal.of(Errno.EINVAL, "REQ_NOTIFY_CQ", lifetime.name())
                    .rule("it was created without a completion channel")
                    .remedy("Create it with completionQueue(...).channel(...), or wait with await(...)")
                    .exception();
        }
    }

    /** REQ_NOTIFY_CQ. */
    void request(boolean solicitedOnly) {
        lifetime.enter("REQ_NOTIFY_CQ");
        try {
            queue.arm(solicitedOnly);
        } catch (RuntimeException e) {
            throw Refusal.of(e, "REQ_NOTIFY_CQ", lifetime.name()).exception();
        } finally {
            lifetime.exit();
        }
    }

    /** The channel that tells its events, if it was created with one. */
    public Optional<CompletionChannel> channel() {
        return Optional.ofNullable(channel);
    }

    /** Completion events that were taken from the kernel so far, and thereby acknowledged. */
    public long acknowledgedEvents() {
        return events.acknowledged();
    }

    /**
     * Waits until a number of completions have come, or the time is up. It looks at the queue for as long as the
     * {@link WaitPolicy} says, and then blocks: it arms the queue, looks once more, and sleeps until an event comes. Several
     * threads may wait for one queue, and each takes what it finds. A virtual thread that waits does not hold its carrier.
     *
     * <p>Under virtual time it is the device's time that is up. Where the kernel has no completion channel for it (EMFILE,
     * EOPNOTSUPP), a queue that was created without one looks, instead of blocking, every 50 microseconds.
     *
     * <p>A thread that is interrupted stops waiting at the next empty look; its interrupt status stays set and nothing is
     * closed. It looks once at least.
     *
     * @return how many came; fewer than {@code count} if the time was up or the thread was interrupted
     * @throws ClosedException if it is closed, also while waiting
     */
    public int await(int count, Duration timeout, CompletionHandler handler) {
        return waiting.await(count, Deadline.nanos(timeout), handler);
    }

    /**
     * Waits until a condition holds, or the time is up; see {@link #await(int, Duration, CompletionHandler)}. The condition
     * is looked at after every look at the queue, and every 10 milliseconds while it blocks.
     *
     * @return whether the condition holds
     */
    public boolean await(BooleanSupplier condition, Duration timeout, CompletionHandler handler) {
        return waiting.await(condition, Deadline.nanos(timeout), handler);
    }

    /**
     * Waits until a number of completions have come, each of which must have succeeded; see {@link #await(int, Duration,
     * CompletionHandler)}.
     *
     * @throws WorkCompletionException at the first that failed
     * @throws VerbsException ETIMEDOUT if the time was up, EINTR if the thread was interrupted
     */
    public void awaitSuccess(int count, Duration timeout) {
        int came = await(count, timeout, WorkCompletion::requireSuccess);
        if (came < count) {
            throw CompletionWaiting.inVain(lifetime.name(), came, count, timeout);
        }
    }

    /**
     * Gives it another capacity; completions that wait in it stay, in order (ibv_resize_cq(3)). Queue pairs may complete
     * into it meanwhile. Waits while another thread has a round of polling open.
     *
     * @param entries completions that it must hold at least; {@link #capacity()} says what it got
     * @throws VerbsException EINVAL if more completions wait in it, or the device allows fewer; ENOSPC if the queue pairs
     *     that complete into it could overflow it then; ENOMEM
     * @throws DeviceUnavailableException EIO if the system could not map what the kernel made: until it is resized once more,
     *     which loses nothing, every call but closing is refused so
     * @throws NotSupportedException if the device does not resize
     */
    public void resize(int entries) {
        lifetime.enter("RESIZE_CQ");
        try {
            turn.begin("RESIZE_CQ");
            try {
                budget.resize(entries, () -> {
                    queue.resize(entries);
                    return queue.capacity();
                });
            } finally {
                turn.end();
            }
        } catch (VerbsException e) {
            throw e;
        } catch (InternalError e) {
            throw PostRefusals.lostRing("RESIZE_CQ", lifetime.name(), e);
        } catch (RuntimeException e) {
            throw CompletionQueueRefusals.resize(e, lifetime.name(), entries, context);
        } finally {
            lifetime.exit();
        }
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Destroys it (ibv_destroy_cq(3)). Completions that were not polled are gone. Idempotent. Waits up to a second for a
     * round of polling in another thread.
     *
     * @throws VerbsException EBUSY with their list while queue pairs complete into it, or while another thread polls
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    ProviderCompletionQueue provider() {
        return queue;
    }

    Flushes flushes() {
        return flushes;
    }

    CompletionBudget budget() {
        return budget;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }

    /** Describes a completion queue. */
    public static final class Builder {
        private final Context context;
        private final int entries;
        private int vector;
        private boolean singleThreaded;
        private boolean timestamps;
        private boolean ignoreOverrun;
        private @Nullable CompletionChannel channel;
        private @Nullable Object attachment;
        private WaitPolicy policy = WaitPolicy.DEFAULT;

        Builder(Context context, int entries) {
            this.context = context;
            this.entries = entries;
        }

        /** The completion vector, from 0; 0 unless set. */
        public Builder vector(int value) {
            vector = value;
            return this;
        }

        /** Promises that one thread at a time uses it, which saves the lock. */
        public Builder singleThreaded() {
            singleThreaded = true;
            return this;
        }

        /**
         * Stamps completions with the device's clock ({@link WorkCompletion#timestamp()}), where the device does that
         * ({@link Capability#COMPLETION_TIMESTAMPS}; ibv_create_cq_ex(3)).
         */
        public Builder timestamps() {
            timestamps = true;
            return this;
        }

        /** Promises that it never overruns, so that the device need not look for room; a completion too many is lost. */
        public Builder ignoreOverrun() {
            ignoreOverrun = true;
            return this;
        }

        /** The channel that tells its events; unless set, only {@link #await} knows of them. */
        public Builder channel(CompletionChannel value) {
            channel = value;
            return this;
        }

        /** What is {@linkplain CompletionQueue#attach attached} to it from the beginning. */
        public Builder attachment(@Nullable Object object) {
            attachment = object;
            return this;
        }

        /** How threads wait in {@link #await}; {@link WaitPolicy#DEFAULT} unless set. */
        public Builder waitPolicy(WaitPolicy value) {
            policy = value;
            return this;
        }

        /**
         * Creates it. Unless it is on a channel or always spins, it gets an event file of its own to block on: one
         * descriptor on Linux.
         *
         * @throws VerbsException EINVAL with asked and allowed for too many entries, a vector that there is not, or a channel
         *     of another context; ENOMEM
         * @throws NotSupportedException if it is to have timestamps, or no overrun, and the device does not do that
         */
        public CompletionQueue build() {
            if (channel != null && channel.context() != context) {
                throw Refusal.of(Errno.EINVAL, "CREATE_CQ", context.device().name())
                        .rule(channel + " belongs to another context")
                        .remedy("Create the channel in the same context")
                        .exception();
            }
            Lifetime parent = channel == null ? context.lifetime() : channel.lifetime();
            parent.enter("CREATE_CQ");
            CompletionEvents events = null;
            try {
                events = CompletionEvents.open(context, channel, policy);
                ProviderCompletionQueue queue = context.provider()
                        .createCompletionQueue(new CompletionQueueRequest(
                                entries, vector, events.descriptor(), events.cookie(), timestamps, ignoreOverrun));
                return new CompletionQueue(this, queue, events);
            } catch (RuntimeException e) {
                if (events != null) {
                    events.close();
                }
                throw CompletionQueueRefusals.create(e, context, entries, vector);
            } finally {
                parent.exit();
            }
        }

        private Lifetime[] parents() {
            return channel == null
                    ? new Lifetime[] {context.lifetime()}
                    : new Lifetime[] {context.lifetime(), channel.lifetime()};
        }
    }
}
