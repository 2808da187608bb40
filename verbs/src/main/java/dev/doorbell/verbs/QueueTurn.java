package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is on one end of a queue: a batch or a round of polling lasts from {@link #begin} to {@link #end}, and
 * the ring behind it stays mapped as long.
 *
 * <p>With a lock, turns exclude each other and {@link #shut}. Without one (single-threaded), the program has promised
 * that they do not overlap; overlaps that are seen are refused.
 */
final class QueueTurn {
    private static final int SPINS_BEFORE_YIELD = 1 << 10;
    /** The number of no thread. */
    private static final long NOBODY = 0;

    private final String name;
    private final @Nullable SpinLock lock;

    // Guarded by the turn. Also read without it: only the owner can find itself here. The number of a thread rather
    // than the
    // thread, since the collector is told of each store of a reference, which may cost as much as the lock.
    private long owner;

    /** The last one to have a turn, for messages. */
    private @Nullable Thread last;

    // Written by whoever closes, before it waits for its turn: who keeps taking turns must not take another.
    private volatile boolean closed;

    QueueTurn(String name, boolean singleThreaded) {
        this.name = name;
        this.lock = singleThreaded ? null : new SpinLock();
    }

    /** Waits for the turn and takes it. */
    void begin(String operation) {
        Thread self = Thread.currentThread();
        long number = self.threadId();
        if (owner == number) {
            throw nested(operation);
        }
        if (lock != null) {
            lock.lock();
        } else if (owner != NOBODY) {
            throw overlap(operation);
        }
        if (closed) {
            release();
            throw Lifetime.closed(operation, name);
        }
        if (last != self) {
            last = self;
        }
        owner = number;
    }

    /** As {@link #begin}, but false while another thread has the turn: for who holds another turn, and must not wait. */
    boolean tryBegin(String operation) {
        if (isMine()) {
            throw nested(operation);
        }
        if (lock == null) {
            begin(operation);
            return true;
        }
        if (!lock.tryLock()) {
            return false;
        }
        if (closed) {
            release();
            throw Lifetime.closed(operation, name);
        }
        last = Thread.currentThread();
        owner = Thread.currentThread().threadId();
        return true;
    }

    /** Gives the turn back. */
    void end() {
        owner = NOBODY;
        release();
    }

    /** Whether the calling thread has the turn. */
    boolean isMine() {
        return owner == Thread.currentThread().threadId();
    }

    /** Refuses a call by a thread that does not have the turn. */
    void check(String operation) {
        if (owner != Thread.currentThread().threadId()) {
            throw notMine(operation);
        }
    }

    /**
     * Ends all turns: the ring may be unmapped afterwards. The calling thread's own open turn is abandoned.
     *
     * @return false if another thread did not end its turn in time
     */
    boolean shut(long timeoutNs) {
        closed = true;
        if (owner != Thread.currentThread().threadId() && !take(timeoutNs)) {
            closed = false;
            return false;
        }
        owner = NOBODY;
        release();
        return true;
    }

    /** Who did not end its turn, for messages. */
    String holder() {
        Thread holder = last;
        return owner == NOBODY || holder == null ? "another thread" : "thread " + holder.getName();
    }

    private boolean take(long timeoutNs) {
        if (lock == null) {
            return owner == NOBODY;
        }
        long start = System.nanoTime();
        for (int spins = 0; !lock.tryLock(); spins++) {
            if (System.nanoTime() - start >= timeoutNs) {
                return false;
            }
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        return true;
    }

    private void release() {
        if (lock != null) {
            lock.unlock();
        }
    }

    private VerbsException nested(String operation) {
        return Refusal.of(Errno.EBUSY, operation, name)
                .rule("this thread has it open already")
                .remedy("Close the open batch or round of polling first; try-with-resources does")
                .exception();
    }

    private VerbsException overlap(String operation) {
        return Refusal.of(Errno.EBUSY, operation, name)
                .rule("it was made single-threaded, and " + holder() + " is using it")
                .remedy("Use it from one thread at a time, or create it without singleThreaded()")
                .exception();
    }

    private VerbsException notMine(String operation) {
        if (closed) {
            return Lifetime.closed(operation, name);
        }
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule("it was ended before, or another thread has it open")
                .remedy("Open a new one; a batch or a cursor belongs to the thread that opened it, until it closes it")
                .exception();
    }
}
