package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.SpinLock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Event records that come to a descriptor.
 *
 * <p>Nobody blocks in the kernel: a thread that waits enlists, looks once more, and parks; the {@link ReadinessThread} wakes
 * one thread at each arrival. Arrivals may be told together, so whoever takes one record only wakes the next thread, which
 * looks for another. Taking never blocks: two readers may wake for one record, and the second must go back to waiting.
 *
 * <p>Thread rules: any thread.
 */
public final class RecordFile implements EventFile {
    private final int fd;
    private final Records records;
    private final SpinLock lock = new SpinLock();

    // Guarded by the lock.
    private final Deque<Thread> waiters = new ArrayDeque<>();

    // Guarded by this.
    private ReadinessThread.@Nullable Watch watch;

    private volatile boolean closing;
    private volatile @Nullable Runnable watcher;

    /**
     * Whether something has come since the last look began that found nothing. Cleared before a look and set after an
     * arrival, so one that comes between a thread's last look and its wait is not overlooked.
     */
    private volatile boolean mayHaveMore;

    /** What is behind the descriptor. */
    public interface Records {
        /**
         * Takes one record if there is one, without blocking.
         *
         * @return its bytes; 0 if there is none, or the file is closed
         */
        int take(MemorySegment record);

        /** Closes the descriptor; called once. */
        void close();
    }

    private RecordFile(int fd, Records records) {
        this.fd = fd;
        this.records = records;
    }

    /**
     * Takes over a descriptor, which does not block from then on.
     *
     * @throws KernelException EBADF if there is no such descriptor
     */
    public static RecordFile of(int fd, Records records) {
        int failed = Libc.setNonBlocking(fd);
        if (failed < 0) {
            throw new KernelException(-failed, "event file: descriptor " + fd + " cannot be used");
        }
        return new RecordFile(fd, records);
    }

    @Override
    public int read(MemorySegment record, long timeoutNs) {
        long start = System.nanoTime();
        int size = take(record);
        if (size != 0 || timeoutNs <= 0) {
            return size;
        }
        startWatching();
        boolean interrupted = false;
        try {
            while (true) {
                enlist();
                size = take(record);
                long left = timeoutNs - (System.nanoTime() - start);
                if (size != 0 || left <= 0 || closing) {
                    return size;
                }
                LockSupport.parkNanos(this, left);
                // A park returns at once while the flag is set.
                interrupted |= Thread.interrupted();
            }
        } finally {
            delist();
            if (size != 0) {
                // There may be more.
                wakeOne();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int take(MemorySegment record) {
        mayHaveMore = false;
        int size = records.take(record);
        if (size != 0) {
            mayHaveMore = true;
        }
        return size;
    }

    @Override
    public boolean await(long timeoutNs) {
        if (timeoutNs <= 0) {
            return false;
        }
        startWatching();
        long start = System.nanoTime();
        enlist();
        try {
            if (!mayHaveMore && !closing) {
                LockSupport.parkNanos(this, timeoutNs);
            }
        } finally {
            delist();
        }
        return System.nanoTime() - start < timeoutNs;
    }

    @Override
    public void onReadable(@Nullable Runnable action) {
        watcher = action;
        if (action != null) {
            startWatching();
            action.run();
        }
    }

    private void startWatching() {
        // Not under the lock of the waiters: this makes system calls.
        synchronized (this) {
            if (watch == null && !closing) {
                watch = ReadinessThread.watch(fd, this::arrived);
            }
        }
    }

    private void arrived() {
        mayHaveMore = true;
        wakeOne();
        Runnable action = watcher;
        if (action != null) {
            action.run();
        }
    }

    private void enlist() {
        Thread self = Thread.currentThread();
        lock.lock();
        if (!waiters.contains(self)) {
            waiters.add(self);
        }
        lock.unlock();
    }

    private void delist() {
        lock.lock();
        waiters.remove(Thread.currentThread());
        lock.unlock();
    }

    private void wakeOne() {
        lock.lock();
        Thread next = waiters.poll();
        lock.unlock();
        LockSupport.unpark(next);
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
            if (watch != null) {
                watch.end();
            }
        }
        lock.lock();
        Thread[] woken = waiters.toArray(new Thread[0]);
        waiters.clear();
        lock.unlock();
        for (Thread thread : woken) {
            LockSupport.unpark(thread);
        }
        records.close();
    }
}
