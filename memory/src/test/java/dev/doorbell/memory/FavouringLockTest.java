package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock that favours who takes it again and again, and what happens when another one comes. */
@Timeout(60)
class FavouringLockTest {
    /** More than make a favourite. */
    private static final int MANY = 20_000;

    private static final long SECOND_NS = 1_000_000_000;

    private final FavouringLock lock = new FavouringLock();
    private long guarded;

    private static long self() {
        return Thread.currentThread().threadId();
    }

    private void count(int turns) {
        long self = self();
        for (int i = 0; i < turns; i++) {
            lock.lock(self);
            try {
                guarded++;
            } finally {
                lock.unlock(self);
            }
        }
    }

    /** The favourite goes on at full speed while the others come, at a moment that differs from round to round. */
    @RepeatedTest(200)
    void letsOneInAtATime() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch favoured = new CountDownLatch(1);
        long[] turns = new long[1];
        Thread favourite = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                count(MANY);
                turns[0] += MANY;
                favoured.countDown();
            }
        });
        favoured.await();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            others.add(Thread.ofPlatform().start(() -> count(100)));
            others.add(Thread.ofVirtual().start(() -> count(100)));
        }
        for (Thread other : others) {
            other.join();
        }
        stop.set(true);
        favourite.join();
        assertThat(guarded).isEqualTo(turns[0] + 400);
    }

    @Test
    void whoDoesNotLetGoInTimeKeepsItAndLetsGoLater() throws Exception {
        count(MANY);
        lock.lock(self());
        assertThat(elsewhere(() -> lock.tryLock(self(), 1_000_000))).isFalse();
        assertThat(elsewhere(() -> lock.tryLock(self(), 0))).isFalse();
        guarded++;
        lock.unlock(self());
        assertThat(elsewhere(() -> {
                    boolean taken = lock.tryLock(self(), SECOND_NS);
                    lock.unlock(self());
                    return taken;
                }))
                .isTrue();
        count(1);
        assertThat(guarded).isEqualTo(MANY + 2);
    }

    @Test
    void theFavouriteMayComeTheLongWayRound() throws Exception {
        count(MANY);
        assertThat(lock.tryLock(self(), SECOND_NS)).isTrue();
        assertThat(elsewhere(() -> lock.tryLock(self(), 1_000_000))).isFalse();
        lock.unlock(self());
        count(MANY);
        assertThat(elsewhere(() -> {
                    count(1);
                    return true;
                }))
                .isTrue();
        assertThat(guarded).isEqualTo(2 * MANY + 1);
    }

    @Test
    void whoeverComesWaitsForTheFavouriteThatHasIt() throws Exception {
        count(MANY);
        lock.lock(self());
        CompletableFuture<Long> seen = CompletableFuture.supplyAsync(() -> {
            lock.lock(self());
            try {
                return guarded;
            } finally {
                lock.unlock(self());
            }
        });
        for (int i = 0; i < 100 && !seen.isDone(); i++) {
            Barriers.everyThread();
        }
        assertThat(seen).isNotDone();
        guarded = 77;
        lock.unlock(self());
        assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(77);
    }

    /** Favour that was taken away is earned again, by more turns, and taken away again. */
    @Test
    void favourGoesFromThreadToThread() throws Exception {
        for (int round = 0; round < 4; round++) {
            count(MANY << 2 * round);
            assertThat(elsewhere(() -> {
                        count(MANY << 2);
                        return true;
                    }))
                    .isTrue();
        }
        assertThat(guarded).isEqualTo(MANY * (1L + 4 + 16 + 64) + 4L * (MANY << 2));
    }

    private static boolean elsewhere(java.util.function.BooleanSupplier call) throws Exception {
        return CompletableFuture.supplyAsync(call::getAsBoolean).get(10, TimeUnit.SECONDS);
    }
}
