package dev.doorbell.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A file that delivers event records: asynchronous device events, or the events of a completion channel.
 *
 * <p>There are two ways to wait. {@link #read} waits by itself for one record. {@link #await} only waits, and may come back
 * for no reason, as {@link java.util.concurrent.locks.LockSupport#park()} does; who waits for more than the file says so
 * with {@link java.util.concurrent.locks.LockSupport#unpark}:
 *
 * <pre>
 *   waits   say "I wait" ─ read all ─ look at one's own condition ─ await ─┐
 *             ▲────────────────────────────────────────────────────────────┘
 *   wakes   change the condition ─ unpark whoever said so
 * </pre>
 *
 * <p>Between looking at its condition and {@code await} the thread must not park elsewhere, or it would lose the permit.
 *
 * <p>Thread rules: any thread may read and wait; each record goes to one reader. No thread that waits holds a carrier
 * thread.
 */
public interface EventFile extends AutoCloseable {
    /**
     * Reads one record, waiting for it. An interruption is remembered and does not end the wait.
     *
     * @param record receives the record; its size must be that of the file's records at least
     * @param timeoutNs how long to wait; 0 only looks
     * @return the bytes read, or 0 when the time was up, or the file was closed meanwhile
     * @throws KernelException EINVAL if the segment is too small, EIO if the device is gone
     */
    int read(MemorySegment record, long timeoutNs);

    /**
     * Waits until there may be a record. Comes back at once if there is one or the file is closed, soon after one has come,
     * and also when the thread is interrupted or unparked, or for no reason. Whoever comes back reads until there is
     * nothing more, whatever this returned: of several threads that wait, a record may have woken this one only.
     *
     * @param timeoutNs how long to wait
     * @return false if the time was up
     * @throws KernelException if there is nothing to wait with (EMFILE, ENOMEM)
     */
    boolean await(long timeoutNs);

    /**
     * Sets what is run when a record may have come: soon after each, once for several perhaps, and once now if there is one
     * already. It runs in the middle of the device's work or in a thread of the kernel, so it neither blocks nor calls
     * back.
     *
     * @param action null to have nothing run any more
     * @throws KernelException if there is nothing to watch with (EMFILE, ENOMEM)
     */
    void onReadable(@Nullable Runnable action);

    /** The number by which commands name this file. */
    int descriptor();

    /** Closes the file and wakes those who wait. Idempotent. */
    @Override
    void close();
}
