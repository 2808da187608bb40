package dev.doorbell.cm;

import dev.doorbell.verbs.ClosedException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The life of one object: calls that are in progress keep it open, and it is closed once. */
final class Life {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock; the state is also read without it.
    private int uses;
    private Thread closer = Thread.currentThread();
    private volatile State state = State.OPEN;

    Life(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    void require(String operation) {
        if (!isOpen()) {
            throw ClosedException.of(operation, name);
        }
    }

    /** Makes a call during which it stays open. */
    <T> T call(String operation, Supplier<T> body) {
        enter(operation);
        try {
            return body.get();
        } finally {
            exit();
        }
    }

    /** As {@link #call}, without a result. */
    void run(String operation, Runnable body) {
        enter(operation);
        try {
            body.run();
        } finally {
            exit();
        }
    }

    private void enter(String operation) {
        lock.lock();
        try {
            require(operation);
            uses++;
        } finally {
            lock.unlock();
        }
    }

    private void exit() {
        lock.lock();
        try {
            uses--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes it once, after the calls that are in progress; whoever comes second waits until the first is done. */
    void close(Runnable release) {
        lock.lock();
        try {
            if (state != State.OPEN) {
                while (state == State.CLOSING && closer != Thread.currentThread()) {
                    changed.awaitUninterruptibly();
                }
                return;
            }
            state = State.CLOSING;
            closer = Thread.currentThread();
            while (uses > 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        try {
            release.run();
        } finally {
            lock.lock();
            try {
                state = State.CLOSED;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
