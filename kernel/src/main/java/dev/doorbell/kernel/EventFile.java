package dev.doorbell.kernel;

import java.lang.foreign.MemorySegment;

/**
 * A file that delivers event records: asynchronous device events, or the events of a completion channel.
 *
 * <p>Thread rules: any thread may read; each record goes to one reader.
 */
public interface EventFile extends AutoCloseable {
    /**
     * Reads one record, waiting for it.
     *
     * @param record receives the record; its size must be that of the file's records at least
     * @param timeoutNs how long to wait; 0 only looks
     * @return the bytes read, or 0 when the time was up, or the file was closed meanwhile
     * @throws KernelException EINVAL if the segment is too small, EIO if the device is gone
     */
    int read(MemorySegment record, long timeoutNs);

    /** The number by which commands name this file. */
    int descriptor();

    /** Closes the file and wakes its readers. Idempotent. */
    @Override
    void close();
}
