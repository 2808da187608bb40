package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.SystemFile;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Event records from a descriptor that a command returned.
 *
 * <p>Readers wait for two descriptors at a time: the file, and a counter that {@link #close()} raises and nobody ever
 * lowers, so that it wakes them all. Closing the file alone would wake nobody. Reads never block: two readers may wake
 * for one record, and the second must go back to waiting.
 */
final class DescriptorEvents implements EventFile {
    /** Two structs {@code pollfd} (int fd, short events, short revents), then a {@code timespec}, then the record. */
    private static final int POLL_FD_SIZE = 8;

    private static final int POLL_EVENTS = 4;
    private static final int POLL_COUNT = 2;
    private static final int TIME_AT = POLL_COUNT * POLL_FD_SIZE;
    private static final int RECORD_AT = TIME_AT + 2 * Long.BYTES;
    private static final short POLLIN = 1;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final SystemFile file;
    private final SystemFile alarm;
    private final BufferPool buffers;
    private final Runnable onClose;
    private final AtomicBoolean closing = new AtomicBoolean();

    private DescriptorEvents(SystemFile file, SystemFile alarm, BufferPool buffers, Runnable onClose) {
        this.file = file;
        this.alarm = alarm;
        this.buffers = buffers;
        this.onClose = onClose;
    }

    /**
     * Takes over a descriptor.
     *
     * @param onClose called once, before the descriptor's number can be given to another file
     * @throws KernelException EBADF if there is no such descriptor, EMFILE if there are too many
     */
    static DescriptorEvents of(int fd, BufferPool buffers, Runnable onClose) {
        int failed = Libc.setNonBlocking(fd);
        if (failed < 0) {
            throw new KernelException(-failed, "event file: descriptor " + fd + " cannot be used");
        }
        int alarm = Libc.eventCounter();
        if (alarm < 0) {
            throw new KernelException(-alarm, "event file: no descriptor to wake its readers with (ulimit -n)");
        }
        return new DescriptorEvents(new SystemFile(fd), new SystemFile(alarm), buffers, onClose);
    }

    @Override
    public int read(MemorySegment record, long timeoutNs) {
        long start = System.nanoTime();
        MemorySegment buffer = buffers.take(BufferPool.BUFFER_SIZE);
        try {
            while (!file.isClosed()) {
                int size = readNow(buffer, record);
                if (size != 0) {
                    return size;
                }
                long left = timeoutNs - (System.nanoTime() - start);
                if (left <= 0) {
                    return 0;
                }
                await(buffer, left);
            }
            return 0;
        } finally {
            buffers.give(buffer);
            Reference.reachabilityFence(buffer);
        }
    }

    /** One record if there is one; 0 if there is none, or the file is closed. */
    private int readNow(MemorySegment buffer, MemorySegment record) {
        long capacity = Math.min(record.byteSize(), buffer.byteSize() - RECORD_AT);
        long size = file.read(0, buffer.address() + RECORD_AT, capacity);
        if (size >= 0) {
            MemorySegment.copy(buffer, RECORD_AT, record, 0, size);
            return (int) size;
        }
        return switch ((int) -size) {
            case Errno.EAGAIN, Errno.EBADF -> 0;
            case Errno.EINVAL ->
                throw new KernelException(Errno.EINVAL, "a record does not fit in " + record.byteSize() + " bytes");
            case Errno.EIO ->
                throw new KernelException(Errno.EIO, "the device of event file " + file.fd() + " is gone");
            default -> throw new KernelException((int) -size, "reading event file " + file.fd());
        };
    }

    private void await(MemorySegment buffer, long timeoutNs) {
        if (!file.enter(0)) {
            return;
        }
        try {
            putPoll(buffer, 0, file.fd());
            putPoll(buffer, POLL_FD_SIZE, alarm.fd());
            Host.setLong(buffer, TIME_AT, timeoutNs / NS_PER_SECOND);
            Host.setLong(buffer, TIME_AT + Long.BYTES, timeoutNs % NS_PER_SECOND);
            int ready = Libc.poll(buffer.address(), POLL_COUNT, buffer.address() + TIME_AT);
            if (ready < 0) {
                throw new KernelException(-ready, "waiting for event file " + file.fd());
            }
        } finally {
            file.exit(0);
        }
    }

    private static void putPoll(MemorySegment buffer, long at, int fd) {
        Host.setInt(buffer, at, fd);
        Host.setShort(buffer, at + POLL_EVENTS, POLLIN);
        Host.setShort(buffer, at + POLL_EVENTS + Short.BYTES, 0);
    }

    @Override
    public int descriptor() {
        return file.fd();
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        raiseAlarm();
        onClose.run();
        file.close();
        alarm.close();
    }

    private void raiseAlarm() {
        MemorySegment buffer = buffers.take(Long.BYTES);
        try {
            Host.setLong(buffer, 0, 1);
            alarm.write(0, buffer.address(), Long.BYTES);
        } finally {
            buffers.give(buffer);
            Reference.reachabilityFence(buffer);
        }
    }
}
