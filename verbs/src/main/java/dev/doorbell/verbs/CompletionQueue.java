package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.BooleanSupplier;

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
    private static final int SPINS_BEFORE_YIELD = 1 << 8;
    private static final long CLOSE_PATIENCE_NS = 1_000_000_000;

    private final Context context;
    private final int vector;
    private final ProviderCompletionQueue queue;
    private final QueueTurn turn;
    private final CompletionCursor cursor;
    private final Flushes flushes = new Flushes();
    private final Lifetime lifetime;
    private final CompletionBudget budget;

    CompletionQueue(Context context, Builder builder, ProviderCompletionQueue queue) {
        String name =
                "completion queue " + queue.handle() + " of " + context.device().name();
        QueueTurn turns = new QueueTurn(name, builder.singleThreaded);
        this.context = context;
        this.vector = builder.vector;
        this.queue = queue;
        this.turn = turns;
        this.cursor = new CompletionCursor(this, turns, queue, flushes);
        this.budget = new CompletionBudget(name, queue.capacity());
        this.lifetime = Lifetime.begin(name, mode -> release(turns, queue, name, mode), context.lifetime());
        lifetime.watch(this);
    }

    private static void release(QueueTurn turn, ProviderCompletionQueue queue, String name, Closing mode) {
        if (!turn.shut(CLOSE_PATIENCE_NS) && mode != Closing.LEAKED) {
            throw new InUseException(Refusal.of(Errno.EBUSY, "DESTROY_CQ", name)
                    .rule(turn.holder() + " has a round of polling open")
                    .remedy("Close the cursor in that thread, then close the queue again"));
        }
        try {
            queue.close();
        } catch (RuntimeException e) {
            throw Refusal.of(e, "DESTROY_CQ", name).exception();
        }
    }

    /** The context that it belongs to. */
    public Context context() {
        return context;
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
     * Polls until a number of completions have come, or the time is up. Between looks it first spins and then yields the
     * processor.
     *
     * <p>A thread that is interrupted stops waiting at the next empty look; its interrupt status stays set and nothing is
     * closed. It looks once at least.
     *
     * @return how many came; fewer than {@code count} if the time was up or the thread was interrupted
     */
    public int await(int count, Duration timeout, CompletionHandler handler) {
        long patienceNs = Deadline.nanos(timeout);
        long start = System.nanoTime();
        int taken = 0;
        for (int idle = 0; taken < count; idle++) {
            int now = poll(count - taken, handler);
            taken += now;
            if (now > 0) {
                idle = -1;
            } else if (isOver(start, patienceNs)) {
                break;
            } else {
                pause(idle);
            }
        }
        return taken;
    }

    /**
     * Polls until a condition holds, or the time is up; see {@link #await(int, Duration, CompletionHandler)}. The condition
     * is looked at after every look at the queue.
     *
     * @return whether the condition holds
     */
    public boolean await(BooleanSupplier condition, Duration timeout, CompletionHandler handler) {
        long patienceNs = Deadline.nanos(timeout);
        long start = System.nanoTime();
        for (int idle = 0; ; idle++) {
            int now = poll(Integer.MAX_VALUE, handler);
            if (condition.getAsBoolean()) {
                return true;
            }
            if (now > 0) {
                idle = -1;
            } else if (isOver(start, patienceNs)) {
                return false;
            } else {
                pause(idle);
            }
        }
    }

    /**
     * Polls until a number of completions have come, each of which must have succeeded.
     *
     * @throws WorkCompletionException at the first that failed
     * @throws VerbsException ETIMEDOUT if the time was up, EINTR if the thread was interrupted
     */
    public void awaitSuccess(int count, Duration timeout) {
        int came = await(count, timeout, WorkCompletion::requireSuccess);
        if (came < count) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            throw Refusal.of(interrupted ? Errno.EINTR : Errno.ETIMEDOUT, "await completions", lifetime.name())
                    .rule(came + " of " + count + " completions came in "
                            + (interrupted ? "the time before the thread was interrupted" : timeout.toString()))
                    .remedy("Were they signaled? Is the peer connected, and does it have receives posted?")
                    .exception();
        }
    }

    private static boolean isOver(long startNs, long patienceNs) {
        return System.nanoTime() - startNs >= patienceNs
                || Thread.currentThread().isInterrupted();
    }

    private static void pause(int idle) {
        if (idle < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /**
     * Gives it another capacity; completions that wait in it stay, in order (ibv_resize_cq(3)). Queue pairs may complete
     * into it meanwhile. Waits while another thread has a round of polling open.
     *
     * @param entries completions that it must hold at least; {@link #capacity()} says what it got
     * @throws VerbsException EINVAL if more completions wait in it, or the device allows fewer; ENOSPC if the queue pairs
     *     that complete into it could overflow it then; ENOMEM
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
        } catch (RuntimeException e) {
            throw explainResize(e, entries);
        } finally {
            lifetime.exit();
        }
    }

    private VerbsException explainResize(RuntimeException fault, int entries) {
        Refusal refusal = Refusal.of(fault, "RESIZE_CQ", lifetime.name());
        return switch (refusal.errno) {
            case Errno.ENOMEM ->
                refusal.limit(entries + " entries", "less")
                        .remedy(LockedMemory.remedy())
                        .exception();
            case Errno.EINVAL ->
                refusal.rule("it must hold the completions that were not polled yet")
                        .limit(
                                entries + " entries",
                                "what waits in it to " + context.query().maxCompletions())
                        .remedy("Poll it first, or ask for another size")
                        .exception();
            default -> refusal.exception();
        };
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
         * Creates it.
         *
         * @throws VerbsException EINVAL with asked and allowed for too many entries or a vector that there is not; ENOMEM
         */
        public CompletionQueue build() {
            Lifetime parent = context.lifetime();
            parent.enter("CREATE_CQ");
            try {
                return new CompletionQueue(
                        context, this, context.provider().createCompletionQueue(entries, vector, -1, 0));
            } catch (RuntimeException e) {
                throw explain(e);
            } finally {
                parent.exit();
            }
        }

        private VerbsException explain(RuntimeException fault) {
            Refusal refusal = Refusal.of(fault, "CREATE_CQ", context.device().name());
            if (refusal.errno == Errno.ENOMEM) {
                return refusal.limit(entries + " entries", "less")
                        .remedy(LockedMemory.remedy())
                        .exception();
            }
            if (refusal.errno == Errno.EINVAL) {
                int vectors = context.completionVectors();
                return vector < 0 || vector >= vectors
                        ? refusal.limit("vector " + vector, "0 to " + (vectors - 1))
                                .exception()
                        : refusal.limit(
                                        entries + " entries",
                                        "1 to " + context.query().maxCompletions())
                                .exception();
            }
            return refusal.exception();
        }
    }
}
