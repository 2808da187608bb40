package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.ReadinessThread;
import dev.doorbell.linux.syscall.SystemFile;
import dev.doorbell.memory.SpinLock;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Event records from a descriptor that a command returned.
 *
 * <p>Nobody blocks in the kernel: a thread that waits enlists, looks once more, and parks; the {@link ReadinessThread} wakes
 * one thread at each arrival. Arrivals may be told together, so whoever takes one record only wakes the next thread, which
 * looks for another. Reads never block: two readers may wake for one record, and the second must go back to waiting.
 */
final class DescriptorEvents implements EventFile {
    private final SystemFile file;
    private final RecordReader reader;
    private final BufferPool buffers;
    private final Runnable onClose;
    private final SpinLock lock = new SpinLock();

    // Guarded by the lock.
    private final Deque<Thread> waiters = new ArrayDeque<>();

    // Guarded by this.
    private ReadinessThread.@Nullable Watch watch;

    private volatile boolean closing;
    private volatile @Nullable Runnable watcher;

    /**
     * Whether something has come since the last read began that found nothing. Cleared before a read and set after an
     * arrival, so one that comes between a thread's last read and its wait is not overlooked.
     */
    private volatile boolean mayHaveMore;

    private DescriptorEvents(SystemFile file, RecordReader reader, BufferPool buffers, Runnable onClose) {
        this.file = file;
        this.reader = reader;
        this.buffers = buffers;
        this.onClose = onClose;
    }

    /**
     * Takes over a descriptor.
     *
     * @param onClose called once, before the descriptor's number can be given to another file
     * @throws KernelException EBADF if there is no such descriptor
     */
    static DescriptorEvents of(int fd, BufferPool buffers, Runnable onClose) {
        int failed = Libc.setNonBlocking(fd);
        if (failed < 0) {
            throw new KernelException(-failed, "event file: descriptor " + fd + " cannot be used");
        }
        SystemFile file = new SystemFile(fd);
        return new DescriptorEvents(
                file, (buffer, capacity) -> file.read(0, buffer.address(), capacity), buffers, onClose);
    }

    /**
     * The events of a file that is used for other things too, and is closed with its events. Its descriptor does not block.
     *
     * @param reader how one record is read
     */
    static DescriptorEvents of(SystemFile file, RecordReader reader, BufferPool buffers) {
        return new DescriptorEvents(file, reader, buffers, () -> {});
    }

    /** Reads one record without waiting. */
    @FunctionalInterface
    interface RecordReader {
        /**
         * Reads into the first {@code capacity} bytes of a buffer; the rest of it is free for use.
         *
         * @return the bytes read, or a negative errno: EAGAIN if there is none
         */
        long read(MemorySegment buffer, long capacity);
    }

    @Override
    public int read(MemorySegment record, long timeoutNs) {
        long start = System.nanoTime();
        int size = readNow(record);
        if (size != 0 || timeoutNs <= 0) {
            return size;
        }
        startWatching();
        boolean interrupted = false;
        try {
            while (true) {
                enlist();
                size = readNow(record);
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

    /** One record if there is one; 0 if there is none, or the file is closed. */
    private int readNow(MemorySegment record) {
        MemorySegment buffer = buffers.take(BufferPool.BUFFER_SIZE);
        try {
            long capacity = Math.min(record.byteSize(), buffer.byteSize());
            mayHaveMore = false;
            long size = reader.read(buffer, capacity);
            if (size < 0) {
                return refused((int) -size, record);
            }
            mayHaveMore = true;
            MemorySegment.copy(buffer, 0, record, 0, size);
            return (int) size;
        } finally {
            buffers.give(buffer);
            Reference.reachabilityFence(buffer);
        }
    }

    private int refused(int errno, MemorySegment record) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.EBADF -> 0;
            case Errno.EINVAL ->
                throw new KernelException(Errno.EINVAL, "a record does not fit in " + record.byteSize() + " bytes");
            case Errno.EIO ->
                throw new KernelException(Errno.EIO, "the device of event file " + file.fd() + " is gone");
            default -> throw new KernelException(errno, "reading event file " + file.fd());
        };
    }

    private void startWatching() {
        // Not under the lock of the waiters: this makes system calls.
        synchronized (this) {
            if (watch == null && !closing) {
                watch = ReadinessThread.watch(file.fd(), this::arrived);
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
        return file.fd();
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
        onClose.run();
        file.close();
    }
}
