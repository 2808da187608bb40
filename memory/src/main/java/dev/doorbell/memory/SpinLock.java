package dev.doorbell.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for the data path: taken and released with one atomic operation each, without a system call, without
 * allocation, and indifferent to interruption. Not reentrant and not fair. Whoever holds it must neither block nor call
 * out.
 *
 * <p>A waiter spins for a short while, then yields its processor between attempts, so that a holder which was
 * preempted gets on.
 */
public final class SpinLock extends SpinLockWord {
    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // With those before the word, these keep it alone on its cache line: a neighbour's writes do not slow it down.
    long after0;
    long after1;
    long after2;
    long after3;
    long after4;
    long after5;
    long after6;

    /** Takes the lock if nobody holds it. */
    public boolean tryLock() {
        return (int) HELD.getOpaque((SpinLockWord) this) == 0 && HELD.compareAndSet((SpinLockWord) this, 0, 1);
    }

    /** Takes the lock, waiting for it. */
    public void lock() {
        if (!HELD.compareAndSet((SpinLockWord) this, 0, 1)) {
            await();
        }
    }

    /** Releases the lock. */
    public void unlock() {
        HELD.setRelease((SpinLockWord) this, 0);
    }

    private void await() {
        for (int spins = 0; !tryLock(); spins++) {
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }
}
