package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.FavouringLock;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is on one end of a queue: a batch or a round of polling lasts from {@link #begin} to {@link #end}, and
 * the ring behind it stays mapped as long.
 *
 * <p>With a lock, turns exclude each other and {@link #shut}. Without one (single-threaded), the program has promised
 * that they do not overlap; overlaps that are seen are refused.
 */
final class QueueTurn {
    /** The number of no thread. */
    private static final long NOBODY = 0;

    private final String name;
    private final @Nullable FavouringLock lock;

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
        this.lock = singleThreaded ? null : new FavouringLock();
    }

    /** Waits for the turn and takes it. */
    void begin(String operation) {
        Thread self = Thread.currentThread();
        long number = self.threadId();
        if (owner == number) {
            throw nested(operation);
        }
        if (lock != null) {
            lock.lock(number);
            owner = number;
        } else if (owner != NOBODY) {
            throw overlap(operation);
        } else {
            owner = number;
            // Who closes finds the owner, or is seen here.
            Barriers.compilers();
        }
        if (closed) {
            release(number);
            throw Lifetime.closed(operation, name);
        }
        if (last != self) {
            last = self;
        }
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
        Thread self = Thread.currentThread();
        if (!lock.tryLock(self.threadId(), 0)) {
            return false;
        }
        if (closed) {
            release(self.threadId());
            throw Lifetime.closed(operation, name);
        }
        last = self;
        owner = self.threadId();
        return true;
    }

    /** Gives the turn back. */
    void end() {
        release(owner);
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
        long self = Thread.currentThread().threadId();
        if (owner != self && !take(self, timeoutNs)) {
            closed = false;
            return false;
        }
        release(self);
        return true;
    }

    /** Who did not end its turn, for messages. */
    String holder() {
        Thread holder = last;
        return owner == NOBODY || holder == null ? "another thread" : "thread " + holder.getName();
    }

    private boolean take(long self, long timeoutNs) {
        if (lock != null) {
            return lock.tryLock(self, timeoutNs);
        }
        Barriers.everyThread();
        return owner == NOBODY;
    }

    private void release(long self) {
        if (lock != null) {
            owner = NOBODY;
            lock.unlock(self);
        } else {
            Barriers.compilers();
            owner = NOBODY;
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
