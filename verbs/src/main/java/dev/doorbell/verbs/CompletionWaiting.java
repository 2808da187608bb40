package dev.doorbell.verbs;

import dev.doorbell.kernel.DurationText;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Progress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How threads wait for the completions of one queue: they poll, and when that was in vain for long enough, arm, poll again
 * and block.
 *
 * <pre>
 *   poll ─ in vain ─▶ spin ─ for long enough ─▶ say "I wait" ─ arm ─ poll ─ in vain ─▶ block ─ event ─▶ poll
 * </pre>
 *
 * <p>No completion is overlooked: one that comes before the arming is found by the poll after it, one that comes later makes
 * an event, and an event wakes all threads that wait for this queue, whoever has read it. Nothing is allocated unless a
 * thread blocks.
 */
final class CompletionWaiting {
    private static final int SPINS_BEFORE_YIELD = 1 << 8;

    /** Looks after which time should have passed; a clock that stands still waits for somebody who blocks. */
    private static final int LOOKS_WITHOUT_TIME = 1 << 6;

    /** How long a thread sleeps between looks where the kernel has nothing to block on. */
    private static final long NAP_NS = 50_000;

    /** How often a condition is looked at that may come true without a completion. */
    private static final long CONDITION_NS = 10_000_000;

    private final CompletionQueue queue;
    private final Progress progress;
    private final WaitPolicy policy;
    private final long spinNs;
    private final CompletionEvents events;

    CompletionWaiting(CompletionQueue queue, Progress progress, WaitPolicy policy, CompletionEvents events) {
        this.queue = queue;
        this.progress = progress;
        this.policy = policy;
        this.spinNs = Deadline.nanos(policy.spin());
        this.events = events;
    }

    /** See {@link CompletionQueue#await(int, java.time.Duration, CompletionHandler)}. */
    int await(int count, long patienceNs, CompletionHandler handler) {
        long start = progress.nanoTime();
        long realStart = System.nanoTime();
        long idleSince = start;
        int taken = 0;
        Blocking blocking = null;
        boolean last = false;
        try {
            for (int vain = 0; taken < count; vain++) {
                int now = queue.poll(count - taken, handler);
                taken += now;
                if (now > 0) {
                    vain = -1;
                    idleSince = taken < count ? progress.nanoTime() : start;
                } else if (last || isOver(start, realStart, patienceNs)) {
                    break;
                } else if (isSpinning(vain, idleSince)) {
                    pause(vain);
                } else {
                    blocking = begin(blocking);
                    last = !blocking.step(patienceNs - (progress.nanoTime() - start));
                }
            }
        } finally {
            end(blocking);
        }
        return taken;
    }

    /** See {@link CompletionQueue#await(BooleanSupplier, java.time.Duration, CompletionHandler)}. */
    boolean await(BooleanSupplier condition, long patienceNs, CompletionHandler handler) {
        long start = progress.nanoTime();
        long realStart = System.nanoTime();
        long idleSince = start;
        Blocking blocking = null;
        boolean last = false;
        try {
            for (int vain = 0; ; vain++) {
                int now = queue.poll(Integer.MAX_VALUE, handler);
                if (condition.getAsBoolean()) {
                    return true;
                }
                if (now > 0) {
                    vain = -1;
                    idleSince = progress.nanoTime();
                } else if (last || isOver(start, realStart, patienceNs)) {
                    return false;
                } else if (isSpinning(vain, idleSince)) {
                    pause(vain);
                } else {
                    blocking = begin(blocking);
                    long left = patienceNs - (progress.nanoTime() - start);
                    last = !blocking.step(Math.min(left, CONDITION_NS)) && left <= CONDITION_NS;
                }
            }
        } finally {
            end(blocking);
        }
    }

    /** What there is to say when fewer completions came than somebody waited for. */
    static VerbsException inVain(String queue, int came, int count, Duration timeout) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        return Refusal.of(interrupted ? Errno.EINTR : Errno.ETIMEDOUT, "await completions", queue)
                .rule(came + " of " + count + " completions came in "
                        + (interrupted ? "the time before the thread was interrupted" : DurationText.of(timeout)))
                .remedy(
                        "Was the batch submitted, and were its last work requests signaled? Is the peer connected, and does it"
                                + " have receives posted? Context.events() tells of an overflow (CQ_ERR), and QueuePair.query()"
                                + " whether a queue pair is in the error state")
                .exception();
    }

    /** The device's time decides, but for one that stands still while everybody looks and nobody blocks. */
    private boolean isOver(long startNs, long realStartNs, long patienceNs) {
        return progress.nanoTime() - startNs >= patienceNs
                || System.nanoTime() - realStartNs >= patienceNs
                || Thread.currentThread().isInterrupted();
    }

    private boolean isSpinning(int vain, long idleSinceNs) {
        if (!policy.blocks()) {
            return true;
        }
        long idleNs = progress.nanoTime() - idleSinceNs;
        return idleNs < spinNs && (idleNs > 0 || vain < LOOKS_WITHOUT_TIME);
    }

    private static void pause(int vain) {
        if (vain < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private Blocking begin(@Nullable Blocking begun) {
        if (begun != null) {
            return begun;
        }
        ChannelEvents channel = events.channel();
        return channel == null ? new Napping() : new Listening(channel);
    }

    private static void end(@Nullable Blocking blocking) {
        if (blocking != null) {
            blocking.end();
        }
    }

    /** One thread's wait, once it spins no more. */
    private interface Blocking {
        /** Goes on; the caller polls afterwards. False if the time was up. */
        boolean step(long leftNs);

        void end();
    }

    /** Where the kernel has no completion channel to give. */
    private static final class Napping implements Blocking {
        @Override
        public boolean step(long leftNs) {
            LockSupport.parkNanos(Math.min(leftNs, NAP_NS));
            return true;
        }

        @Override
        public void end() {}
    }

    /** Arms, and blocks in the step after that. */
    private final class Listening implements Blocking {
        private final ChannelEvents channel;
        private final Wakeups wakeups;
        private boolean armed;
        private long seen;

        Listening(ChannelEvents channel) {
            this.channel = channel;
            this.wakeups = events.wakeups();
            wakeups.enlist();
        }

        @Override
        public boolean step(long leftNs) {
            if (!armed) {
                seen = wakeups.count();
                queue.request(false);
                armed = true;
                return true;
            }
            long start = progress.nanoTime();
            boolean inTime = true;
            while (true) {
                channel.drain();
                if (wakeups.count() != seen) {
                    armed = false;
                    return true;
                }
                if (!inTime || Thread.currentThread().isInterrupted()) {
                    return inTime;
                }
                inTime = channel.await(leftNs - (progress.nanoTime() - start));
            }
        }

        @Override
        public void end() {
            wakeups.delist();
        }
    }
}
