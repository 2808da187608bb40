package dev.doorbell.quality.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages from one context to another, as fast as they go, until it is told to stop. When the connection fails both queue
 * pairs are closed, and two new ones go on as soon as they can be connected. Each work request is counted out and in.
 *
 * <p>Thread rules: {@link #run} in a thread of its own; the rest from any thread.
 */
public final class SteadyTraffic implements Runnable {
    private static final int DEPTH = 16;
    private static final int SIZE = 512;
    private static final long PAUSE_NS = 5_000_000;
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final Context left;
    private final Context right;
    private final ConnectOptions options;
    private final Duration stall;
    private final List<String> wrongs = new CopyOnWriteArrayList<>();
    private final List<VerbsException> refusals = new CopyOnWriteArrayList<>();

    private volatile boolean stopped;
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();

    // Of the thread that runs.
    private final BitSet outstanding = new BitSet();
    private int nextId;
    private boolean failed;
    private int sending;
    private int receiving;

    /**
     * @param left who sends
     * @param right who receives; may be the same
     * @param options should have short time-outs
     */
    public SteadyTraffic(Context left, Context right, ConnectOptions options) {
        this(left, right, options, Duration.ofDays(1));
    }

    /**
     * @param stall after which a connection that delivers nothing counts as failed, for kernels that forget to retry
     */
    public SteadyTraffic(Context left, Context right, ConnectOptions options, Duration stall) {
        this.left = left;
        this.right = right;
        this.options = options;
        this.stall = stall;
    }

    /** Messages that were sent and acknowledged. */
    public long delivered() {
        return delivered.get();
    }

    /** Connections that failed. */
    public int failures() {
        return failures.get();
    }

    /** What must not happen: work requests that came back twice or not at all, errors that are none of the API's. */
    public List<String> wrongs() {
        return wrongs;
    }

    /** Verbs that were refused, in order. */
    public List<VerbsException> refusals() {
        return refusals;
    }

    /** Ends it at the next look. */
    public void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try (ProtectionDomain there = right.allocateProtectionDomain();
                ProtectionDomain here = left.allocateProtectionDomain();
                RegisteredArena source = here.arena(AccessFlag.LOCAL_WRITE);
                RegisteredArena target = there.arena(AccessFlag.LOCAL_WRITE);
                CompletionQueue sent = left.createCompletionQueue(4 * DEPTH);
                CompletionQueue received = right.createCompletionQueue(4 * DEPTH)) {
            End sender = new End(here, sent, source.allocateSlice(SIZE));
            End receiver = new End(there, received, target.allocateSlice(SIZE));
            while (!stopped) {
                connection(sender, receiver);
                if (failed) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } catch (VerbsException e) {
            refusals.add(e);
        } catch (RuntimeException | Error e) {
            wrongs.add(e.toString());
        }
    }

    private record End(ProtectionDomain domain, CompletionQueue completions, MemorySlice memory) {}

    private void connection(End left, End right) {
        failed = false;
        sending = 0;
        receiving = 0;
        @Nullable QueuePair sender = null;
        @Nullable QueuePair receiver = null;
        try {
            sender = left.domain.queuePair(left.completions).depth(DEPTH, 1).build();
            receiver = right.domain.queuePair(right.completions).depth(1, DEPTH).build();
            sender.connect(receiver.endpoint(), options);
            receiver.connect(sender.endpoint(), options);
            long last = delivered();
            long lastNs = System.nanoTime();
            while (!stopped && !failed) {
                while (receiving < DEPTH) {
                    receiver.postReceive(begin(), right.memory);
                    receiving++;
                }
                while (sending < DEPTH && sending < receiving) {
                    sender.postSend(begin(), left.memory);
                    sending++;
                }
                left.completions.await(1, LOOK, this::onSent);
                right.completions.poll(DEPTH, this::onReceived);
                if (delivered() != last) {
                    last = delivered();
                    lastNs = System.nanoTime();
                }
                failed |= System.nanoTime() - lastNs > stall.toNanos();
            }
        } catch (VerbsException e) {
            // What was posted is in the queue, even if the device could not be told of it.
            refusals.add(e);
            failed = true;
        } finally {
            close(sender);
            close(receiver);
            left.completions.poll(4 * DEPTH, this::onSent);
            right.completions.poll(4 * DEPTH, this::onReceived);
        }
        if (!outstanding.isEmpty()) {
            wrongs.add("did not come back: " + outstanding);
            outstanding.clear();
        }
        if (failed) {
            failures.incrementAndGet();
        }
    }

    @Override
    public String toString() {
        return "delivered %s, failed %s, refused %s, wrong %s".formatted(delivered, failures, refusals, wrongs);
    }

    private int begin() {
        int id = nextId++;
        outstanding.set(id);
        return id;
    }

    private void onSent(WorkCompletion completion) {
        sending--;
        end(completion);
        if (completion.isSuccess()) {
            delivered.incrementAndGet();
        }
    }

    private void onReceived(WorkCompletion completion) {
        receiving--;
        end(completion);
    }

    private void end(WorkCompletion completion) {
        int id = (int) completion.id();
        if (!outstanding.get(id)) {
            wrongs.add("came back, but was not out: " + id);
        }
        outstanding.clear(id);
        failed |= !completion.isSuccess();
    }

    private void close(@Nullable QueuePair queuePair) {
        if (queuePair == null) {
            return;
        }
        try {
            queuePair.close(CLOSING);
        } catch (VerbsException e) {
            refusals.add(e);
        }
    }

    /** Waits for something while traffic flows. */
    public static void eventually(
            String what, List<SteadyTraffic> traffic, Duration patience, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("%s: %s", what, traffic).isLessThan(patience.toNanos());
            Thread.yield();
        }
    }
}
