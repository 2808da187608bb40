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
public final class SpinLock {
    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int held;

    /** Takes the lock if nobody holds it. */
    public boolean tryLock() {
        return (int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1);
    }

    /** Takes the lock, waiting for it. */
    public void lock() {
        if (!HELD.compareAndSet(this, 0, 1)) {
            await();
        }
    }

    /** Releases the lock. */
    public void unlock() {
        HELD.setRelease(this, 0);
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
