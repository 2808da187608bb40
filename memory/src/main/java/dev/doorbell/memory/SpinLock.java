package dev.doorbell.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for the data path: taken and released with one atomic operation each, without a system call, without
 * allocation, and indifferent to interruption. Not reentrant, and not fair, but who has
 * waited for long is served before newcomers. Whoever holds it must neither block nor call
 * out.
 *
 * <p>A waiter spins for a short while, then yields its processor between attempts, so that a holder which was
 * preempted gets on.
 */
public final class SpinLock extends SpinLockWord {
    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    private static final int PATIENCE_WITH_OTHERS = 1 << 16;
    private static final VarHandle HELD;
    private static final VarHandle STARVING;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "held", int.class);
            STARVING = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "starving", int.class);
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

    /** A free lock. */
    public SpinLock() {}

    /** Takes the lock if nobody holds it. */
    public boolean tryLock() {
        return (int) HELD.getOpaque((SpinLockWord) this) == 0 && HELD.compareAndSet((SpinLockWord) this, 0, 1);
    }

    /** Takes the lock, waiting for it. */
    public void lock() {
        if (isStarving() || !HELD.compareAndSet((SpinLockWord) this, 0, 1)) {
            await();
        }
    }

    /** Releases the lock. */
    public void unlock() {
        HELD.setRelease((SpinLockWord) this, 0);
    }

    private boolean isStarving() {
        return (int) STARVING.getOpaque((SpinLockWord) this) != 0;
    }

    /**
     * One thread at a time, which has waited for long, has the others keep off. Without that, a thread that takes the lock
     * again as soon as it has released it can shut another one out: the line with the lock stays in its processor's cache.
     */
    private void await() {
        boolean served = false;
        for (int spins = 0; !((served || spins > PATIENCE_WITH_OTHERS || !isStarving()) && tryLock()); spins++) {
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                served = served || STARVING.compareAndSet((SpinLockWord) this, 0, 1);
                Thread.yield();
            }
        }
        if (served) {
            STARVING.setOpaque((SpinLockWord) this, 0);
        }
    }
}
