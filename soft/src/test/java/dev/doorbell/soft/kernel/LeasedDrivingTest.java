package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who does the work, and that somebody always does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LeasedDrivingTest {
    /** A device that only counts: packets that wait, and one timer. */
    private static final class Bench implements Work {
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicLong deadline = new AtomicLong(Long.MAX_VALUE);
        private final AtomicInteger busy = new AtomicInteger();
        private volatile Thread lastWorker = Thread.currentThread();

        @Override
        public boolean isReachable() {
            return true;
        }

        @Override
        public boolean hasWork() {
            return hasWork(System.nanoTime());
        }

        @Override
        public boolean hasWork(long nowNs) {
            return waiting.get() > 0 || deadline.get() <= nowNs;
        }

        @Override
        public boolean poll(long nowNs) {
            return doWork(nowNs);
        }

        @Override
        public boolean doWork(long nowNs) {
            if (!busy.compareAndSet(0, 1)) {
                return false;
            }
            lastWorker = Thread.currentThread();
            boolean worked = false;
            while (waiting.get() > 0) {
                waiting.decrementAndGet();
                done.incrementAndGet();
                worked = true;
            }
            if (deadline.get() <= nowNs) {
                deadline.set(Long.MAX_VALUE);
                done.incrementAndGet();
                worked = true;
            }
            busy.set(0);
            return worked;
        }

        @Override
        public long nextDeadlineNs() {
            return deadline.get();
        }
    }

    private final Bench bench = new Bench();
    private final LeasedDriving driving = new LeasedDriving(bench, System::nanoTime, "bench", true);

    @AfterEach
    void stop() {
        driving.close();
    }

    private void arrive() {
        bench.waiting.incrementAndGet();
        driving.arrived();
    }

    private void awaitDone(int count) {
        while (bench.done.get() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theBackgroundThreadServesAProgramThatDoesSomethingElse() {
        driving.start();
        for (int i = 1; i <= 100; i++) {
            arrive();
            awaitDone(i);
        }
        assertThat(bench.lastWorker.getName()).isEqualTo("doorbell-bench");
        assertThat(bench.lastWorker.isDaemon()).isTrue();
    }

    @Test
    void aPollerIsLeftToDoTheWork() {
        driving.start();
        int mine = 0;
        for (int i = 1; i <= 1000; i++) {
            driving.poll();
            arrive();
            if (driving.poll()) {
                mine++;
            }
            awaitDone(i);
        }
        // A descheduled poller may lose its lease now and then.
        assertThat(mine).isGreaterThan(900);
    }

    @Test
    void whoPollsAllTheTimeWakesNobodyAndLeavesNothing() {
        driving.start();
        for (int i = 1; i <= 500; i++) {
            driving.beginLooking();
            driving.poll();
            arrive();
            // Perhaps this thread takes it, perhaps it leaves it to others.
            if (i % 2 == 0) {
                driving.poll();
            }
            driving.endLooking();
            awaitDone(i);
        }
    }

    @Test
    void whatAPollerLeavesIsTakenOverWhenItsLeaseEnds() {
        driving.start();
        for (int i = 1; i <= 100; i++) {
            driving.poll();
            long start = System.nanoTime();
            arrive();
            awaitDone(i);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
        assertThat(bench.lastWorker.getName()).isEqualTo("doorbell-bench");
    }

    @Test
    void aTimerThatIsSetLaterButDueEarlierIsNotMissed() {
        driving.start();
        for (int i = 1; i <= 50; i++) {
            long far = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
            bench.deadline.set(far);
            driving.rescheduled();
            bench.deadline.set(System.nanoTime() + 100_000);
            driving.rescheduled();
            awaitDone(i);
        }
    }

    @Test
    void aWaiterDoesTheWorkThatWakesIt() {
        driving.start();
        AtomicInteger byWaiter = new AtomicInteger();
        Thread waiter = Thread.ofPlatform().start(() -> {
            driving.relinquish();
            while (bench.done.get() < 1) {
                driving.idle(Long.MAX_VALUE);
                if (bench.lastWorker == Thread.currentThread()) {
                    byWaiter.incrementAndGet();
                }
            }
        });
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        arrive();
        awaitDone(1);
        LockSupport.unpark(waiter);
        assertThat(bench.lastWorker).isSameAs(waiter);
    }

    @Test
    void anIdleDeviceIsNotLookedAfter() {
        driving.start();
        arrive();
        awaitDone(1);
        Thread background = bench.lastWorker;
        // Parked without a time limit: WAITING, not TIMED_WAITING.
        while (background.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 1000; i++) {
            driving.poll();
        }
        assertThat(background.getState()).isEqualTo(Thread.State.WAITING);
    }

    @Test
    void theThreadEndsWithTheDevice() throws InterruptedException {
        driving.start();
        arrive();
        awaitDone(1);
        Thread background = bench.lastWorker;
        driving.close();
        background.join();
        driving.start();
        assertThat(background.isAlive()).isFalse();
    }

    /** Pollers that come and go, waiters, packets and timers, all at random: everything gets done in the end. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void nothingIsEverLeftUndone(long seed) throws InterruptedException {
        driving.start();
        int rounds = 3_000;
        AtomicInteger expected = new AtomicInteger();
        AtomicInteger finished = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Random random = new Random(seed * 100 + i);
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    act(random, expected);
                }
                finished.incrementAndGet();
            }));
        }
        while (finished.get() < threads.size()) {
            Thread.onSpinWait();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        awaitDone(expected.get());
        assertThat(bench.waiting).hasValue(0);
        assertThat(bench.done).hasValue(expected.get());
    }

    private void act(Random random, AtomicInteger expected) {
        switch (random.nextInt(5)) {
            case 0 -> driving.poll();
            case 3 -> {
                driving.beginLooking();
                for (int looks = random.nextInt(40); looks > 0; looks--) {
                    driving.poll();
                }
                driving.endLooking();
            }
            case 1 -> {
                expected.incrementAndGet();
                arrive();
                if (random.nextInt(4) == 0) {
                    // Nobody polls for a while: only the background thread or a waiter can do it.
                    int all = expected.get();
                    while (bench.done.get() < all) {
                        Thread.onSpinWait();
                    }
                }
            }
            case 2 -> {
                driving.relinquish();
                driving.idle(System.nanoTime() + random.nextInt(60_000));
            }
            default -> {
                if (bench.deadline.compareAndSet(Long.MAX_VALUE, System.nanoTime() + random.nextInt(200_000))) {
                    expected.incrementAndGet();
                    driving.rescheduled();
                }
            }
        }
    }
}
