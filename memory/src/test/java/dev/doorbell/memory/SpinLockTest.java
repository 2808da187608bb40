package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinLockTest {
    private static final int THREADS = 4;
    private static final int TURNS = 100_000;

    private final SpinLock lock = new SpinLock();
    private long guarded;

    @Test
    void letsOneInAtATime() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(this::count));
        }
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofVirtual().start(this::count));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(guarded).isEqualTo(2L * THREADS * TURNS);
    }

    private void count() {
        for (int i = 0; i < TURNS; i++) {
            lock.lock();
            try {
                guarded++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Breaks when whoever takes the lock again and again shuts others out. */
    @Test
    void nobodyIsShutOut() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread greedy = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                lock.lock();
                for (int work = 0; work < 1000; work++) {
                    Thread.onSpinWait();
                }
                lock.unlock();
            }
        });
        for (int turn = 0; turn < 200; turn++) {
            lock.lock();
            lock.unlock();
        }
        stop.set(true);
        greedy.join();
    }

    @Test
    void tryingDoesNotWait() {
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    void interruptionNeitherStopsNorIsForgotten() {
        Thread.currentThread().interrupt();
        lock.lock();
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
    }
}
