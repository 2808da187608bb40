package dev.doorbell.soft.hca;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets many use a memory window at a time, or one change it. Whoever uses or changes waits for nothing else meanwhile
 * but for memory to be copied, so nobody waits for long. Not reentrant, and nobody who is inside may change.
 */
final class WindowGate {
    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    private static final int CHANGING = Integer.MIN_VALUE;

    private final AtomicInteger users = new AtomicInteger();

    /** Begins to use it; nothing changes until {@link #leave}. */
    void enter() {
        for (int spins = 0; ; spins++) {
            int now = users.get();
            if (now >= 0 && users.compareAndSet(now, now + 1)) {
                return;
            }
            pause(spins);
        }
    }

    void leave() {
        users.decrementAndGet();
    }

    /** Begins to change it: when this returns, nobody uses it, nor will until {@link #changed}. */
    void change() {
        for (int spins = 0; !isTaken(); spins++) {
            pause(spins);
        }
        for (int spins = 0; users.get() != CHANGING; spins++) {
            pause(spins);
        }
    }

    void changed() {
        users.set(0);
    }

    private boolean isTaken() {
        int now = users.get();
        return now >= 0 && users.compareAndSet(now, now | CHANGING);
    }

    private static void pause(int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
