package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.linux.syscall.SystemFile;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Event records from a descriptor: one record a read. */
final class DescriptorEvents implements RecordFile.Records {
    private final SystemFile file;
    private final RecordReader reader;
    private final BufferPool buffers;
    private final Runnable onClose;

    private DescriptorEvents(SystemFile file, RecordReader reader, BufferPool buffers, Runnable onClose) {
        this.file = file;
        this.reader = reader;
        this.buffers = buffers;
        this.onClose = onClose;
    }

    /**
     * Takes over a descriptor that a command returned.
     *
     * @param onClose called once, before the descriptor's number can be given to another file
     * @throws KernelException EBADF if there is no such descriptor
     */
    static RecordFile of(int fd, BufferPool buffers, Runnable onClose) {
        SystemFile file = new SystemFile(fd);
        return RecordFile.of(
                fd,
                new DescriptorEvents(
                        file, (buffer, capacity) -> file.read(0, buffer.address(), capacity), buffers, onClose));
    }

    /**
     * The events of a file that is used for other things too, and is closed with its events.
     *
     * @param reader how one record is read
     */
    static RecordFile of(SystemFile file, RecordReader reader, BufferPool buffers) {
        return RecordFile.of(file.fd(), new DescriptorEvents(file, reader, buffers, () -> {}));
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
    public int take(MemorySegment record) {
        MemorySegment buffer = buffers.take(BufferPool.BUFFER_SIZE);
        try {
            long capacity = Math.min(record.byteSize(), buffer.byteSize());
            long size = reader.read(buffer, capacity);
            if (size < 0) {
                return refused((int) -size, record);
            }
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

    @Override
    public void close() {
        onClose.run();
        file.close();
    }
}
