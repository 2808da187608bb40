package dev.doorbell.verbs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * How often one thing has happened, and the threads that wait for the next time. A waiter says so first and looks at the
 * count then; whoever lets it happen counts first and looks for waiters then. So one of the two sees the other.
 *
 * <p>A waiter must not park elsewhere between looking at the count and its own park, which takes the permit.
 */
final class Wakeups {
    private final AtomicLong count = new AtomicLong();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /** How often it has happened. */
    long count() {
        return count.get();
    }

    /** From now on this thread is unparked each time, until {@link #delist}. */
    void enlist() {
        waiting.add(Thread.currentThread());
    }

    void delist() {
        waiting.remove(Thread.currentThread());
    }

    /** It happened. */
    void happened() {
        count.incrementAndGet();
        for (Thread thread : waiting) {
            LockSupport.unpark(thread);
        }
    }
}
