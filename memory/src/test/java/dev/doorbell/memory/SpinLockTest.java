package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
