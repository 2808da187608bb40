package dev.doorbell.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A {@link SpinLock} that favours a thread which takes it again and again with nobody in between: for that thread it costs
 * two stores, where an atomic operation takes a good part of the time of writing a work request. Another thread that comes
 * pays for it: the lock is a plain one then, and a thread must take it more often than the time before to be favoured again.
 *
 * <pre>
 *   the favourite                      whoever comes, holding the plain lock
 *     active = true                      revoked = true
 *     (compilers keep the order)         every thread has passed a safepoint
 *     revoked?  no: it has the lock      active?  yes: wait until it is not
 *               yes: active = false      nobody is the favourite any more
 *                    and the plain lock
 * </pre>
 *
 * <p>The favourite needs no barrier in the processor: wherever it passes that safepoint, either its store lies before and is
 * seen, or its load lies behind and sees. Each favour has flags of its own: one that was revoked stays so, for a favourite
 * that is late.
 *
 * <p>Not reentrant. Whoever holds it must neither block nor call out. Callers pass {@link Thread#threadId} of the current thread.
 */
public final class FavouringLock extends Padded {
    /** So many times in a row make a favourite, the first time: who gets there takes it for long, and is worth what others pay. */
    private static final int STREAK = 10_000;

    /** So many times more for each time that it went wrong. */
    private static final int PATIENCE_SHIFT = 2;

    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    private static final Favour NOBODYS = new Favour(0);

    /** A thread, and whether it may go by. */
    private static final class Favour extends Padded {
        private static final VarHandle ACTIVE;
        private static final VarHandle REVOKED;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                ACTIVE = lookup.findVarHandle(Favour.class, "active", boolean.class);
                REVOKED = lookup.findVarHandle(Favour.class, "revoked", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final long thread;

        /** Whether the favourite has the lock, or looks whether it may; the favourite's to write. */
        private boolean active;

        private boolean revoked;

        Favour(long thread) {
            this.thread = thread;
        }

        /** The favourite's way in; false if it is not the favourite any more. */
        boolean enter() {
            active = true;
            Barriers.compilers();
            if (!revoked) {
                return true;
            }
            leave();
            return false;
        }

        void leave() {
            ACTIVE.setRelease(this, false);
        }

        void revoke() {
            REVOKED.setVolatile(this, true);
        }

        boolean isActive() {
            return (boolean) ACTIVE.getAcquire(this);
        }
    }

    private final SpinLock lock = new SpinLock();

    /** Written by the holder of the plain lock. Read without it, since a thread finds only its own. */
    private Favour favour = NOBODYS;

    // Guarded by the plain lock.
    private long last;
    private int streak;
    private int needed = STREAK;

    /** A free lock. */
    public FavouringLock() {}

    /** Takes the lock, waiting for it. */
    public void lock(long self) {
        Favour mine = favour;
        if (mine.thread == self && mine.enter()) {
            return;
        }
        lock.lock();
        if (favour != NOBODYS) {
            dismiss(self, Long.MAX_VALUE);
        }
    }

    /**
     * Takes the lock, waiting for it no longer than so many nanoseconds; once if there are none.
     *
     * @return whether it was taken
     */
    public boolean tryLock(long self, long timeoutNs) {
        long start = System.nanoTime();
        for (int spins = 0; !lock.tryLock(); spins++) {
            if (System.nanoTime() - start >= timeoutNs) {
                return false;
            }
            pause(spins);
        }
        if (favour != NOBODYS && !dismiss(self, timeoutNs - (System.nanoTime() - start))) {
            lock.unlock();
            return false;
        }
        return true;
    }

    /** Releases the lock. */
    public void unlock(long self) {
        Favour mine = favour;
        if (mine.thread == self) {
            mine.leave();
            return;
        }
        if (last != self || ++streak >= needed) {
            count(self);
        }
        lock.unlock();
    }

    /** Takes the favour away, under the plain lock; false if the favourite did not let go in time. */
    private boolean dismiss(long self, long timeoutNs) {
        Favour given = favour;
        given.revoke();
        if (given.thread != self) {
            Barriers.everyThread();
            long start = System.nanoTime();
            for (int spins = 0; given.isActive(); spins++) {
                if (System.nanoTime() - start >= timeoutNs) {
                    return false;
                }
                pause(spins);
            }
        }
        favour = NOBODYS;
        streak = 0;
        needed = Math.min(needed, Integer.MAX_VALUE >>> PATIENCE_SHIFT) << PATIENCE_SHIFT;
        return true;
    }

    private void count(long self) {
        if (last != self) {
            last = self;
            streak = 0;
        } else {
            favour = new Favour(self);
        }
    }

    private static void pause(int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
