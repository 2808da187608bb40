package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two threads on two queue pairs of one device do more than one thread: nothing that they share holds them up.
 *
 * <p>Times are the best of many short rounds, in turn with rounds of work that shares nothing: where even that does not
 * double, the machine is too busy to tell, and the test is skipped and says so.
 */
@Timeout(120)
final class ScalingTest {
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final long WARM_UP_NS = 1_000_000_000;
    private static final long LEAST_NS = 2_000_000_000;
    private static final long MOST_NS = 15_000_000_000L;
    private static final int BATCHES = 100;
    private static final int STEPS = 500_000;
    private static final double WANTED = 1.5;
    private static final double MACHINE = 1.8;

    /** What two threads do at the same time, and how long it took them at best. */
    private static final class Race {
        private final Runnable[] works;
        private final long[] start = new long[2];
        private final long[] end = new long[2];
        private final long[] single = new long[2];
        private long alone = Long.MAX_VALUE;
        private long together = Long.MAX_VALUE;

        Race(Runnable first, Runnable second) {
            works = new Runnable[] {first, second};
        }

        /** One round, in both threads: first each alone, then both. */
        void run(int thread, Meeting meeting) {
            for (int turn = 0; turn < 2; turn++) {
                meeting.await();
                if (turn == thread) {
                    time(thread);
                    single[thread] = end[thread] - start[thread];
                }
            }
            meeting.await();
            time(thread);
            meeting.await();
            if (thread == 0) {
                alone = Math.min(alone, single[0] + single[1]);
                together = Math.min(together, Math.max(end[0], end[1]) - Math.min(start[0], start[1]));
            }
        }

        private void time(int thread) {
            start[thread] = System.nanoTime();
            works[thread].run();
            end[thread] = System.nanoTime();
        }

        void forget() {
            alone = Long.MAX_VALUE;
            together = Long.MAX_VALUE;
        }

        double ratio() {
            return (double) alone / together;
        }
    }

    /** Where two threads wait for each other without going to sleep. */
    private static final class Meeting {
        private final AtomicInteger arrived = new AtomicInteger();

        void await() {
            int all = (arrived.getAndIncrement() / 2 + 1) * 2;
            for (int spins = 1; arrived.get() < all; spins++) {
                if (spins % 1024 == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void twoThreadsDoMoreThanOne() {
        int processors = Runtime.getRuntime().availableProcessors();
        assumeTrue(processors > 1, "the machine is too small to tell: it has one processor");
        Race machine = new Race(ScalingTest::compute, ScalingTest::compute);
        Race queuePairs;
        try (Pair pair = Pair.builder().build()) {
            End beside = pair.anotherEnd(pair.left());
            End opposite = pair.anotherEnd(pair.left());
            pair.connect(beside.queuePair(), opposite.queuePair());
            queuePairs = new Race(
                    () -> write(pair.left(), pair.right().region().remote()),
                    () -> write(beside, opposite.region().remote()));
            Meeting meeting = new Meeting();
            AtomicBoolean enough = new AtomicBoolean();
            long begin = System.nanoTime();
            Workers.run(
                    DEADLINE,
                    () -> race(0, machine, queuePairs, meeting, enough, begin),
                    () -> race(1, machine, queuePairs, meeting, enough, begin));
        }
        if (queuePairs.ratio() < WANTED) {
            assumeTrue(
                    machine.ratio() >= MACHINE,
                    "the machine is too busy to tell: two threads that share nothing do %.2f times the work of one"
                            .formatted(machine.ratio()));
        }
        assertThat(queuePairs.ratio())
                .as("work of two threads, where two that share nothing do %.2f times that of one", machine.ratio())
                .isGreaterThanOrEqualTo(WANTED);
    }

    private static void race(
            int thread, Race machine, Race queuePairs, Meeting meeting, AtomicBoolean enough, long begin) {
        while (!enough.get()) {
            machine.run(thread, meeting);
            queuePairs.run(thread, meeting);
            if (thread == 0) {
                long passed = System.nanoTime() - begin;
                if (passed < WARM_UP_NS) {
                    machine.forget();
                    queuePairs.forget();
                }
                enough.set(passed > MOST_NS || (passed > LEAST_NS && queuePairs.ratio() >= WANTED));
            }
            meeting.await();
        }
    }

    private static void compute() {
        long sum = 1;
        for (int i = 0; i < STEPS; i++) {
            sum = sum * 6_364_136_223_846_793_005L + i;
        }
        assertThat(sum).isNotZero();
    }

    private static void write(End end, RemoteMemory remote) {
        for (int i = 0; i < BATCHES; i++) {
            try (SendBatch batch = end.queuePair().batch()) {
                for (int request = 1; request < 16; request++) {
                    batch.write(request, remote, 0).sge(end.region(), 0, 256);
                }
                batch.write(16, remote, 64).sge(end.region(), 64, 256).signaled();
                batch.submit();
            }
            end.completions().awaitSuccess(1, DEADLINE);
        }
    }
}
