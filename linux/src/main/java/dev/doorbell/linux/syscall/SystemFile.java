package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An open descriptor. A number that was closed may be given to another file at once, so no call may still be about to
 * use it: calls are counted in and out, and {@link #close()} first turns new ones away, then waits for those inside.
 *
 * <p>The count is spread over stripes in different cache lines. Whoever calls often takes a stripe of its own
 * ({@link #nextStripe()}), and then shares no written cache line with others.
 *
 * <p>Thread rules: everything may be called from any thread. {@link #close()} waits until calls inside have returned;
 * a file whose calls can block for long must be woken by its owner.
 */
public final class SystemFile implements AutoCloseable {
    private static final int STRIPES = 8;
    private static final int LONGS_PER_STRIPE = 16;
    private static final int SPINS_BEFORE_PARK = 1 << 10;
    private static final VarHandle INSIDE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CLOSED;
    private static final VarHandle NEXT_STRIPE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLOSED = lookup.findVarHandle(SystemFile.class, "closed", boolean.class);
            NEXT_STRIPE = lookup.findVarHandle(SystemFile.class, "stripes", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int fd;
    private final long[] inside = new long[(STRIPES + 1) * LONGS_PER_STRIPE];
    private boolean closed;
    private int stripes;

    /** Who waits in {@link #close()}; written before {@code closed}. */
    private volatile @Nullable Thread closer;

    /** Takes over an open descriptor. */
    public SystemFile(int fd) {
        this.fd = fd;
    }

    /** The descriptor's number, for people and for commands that name it. */
    public int fd() {
        return fd;
    }

    /** A stripe for somebody who calls often; any number is one, taken modulo their count. */
    public int nextStripe() {
        return (int) NEXT_STRIPE.getAndAdd(this, 1);
    }

    /** One write; the bytes written, or a negative errno. EBADF once the file is closed. */
    public long write(int stripe, long address, long length) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return Libc.write(fd, address, length);
        } finally {
            exit(stripe);
        }
    }

    /** One read; the bytes read, or a negative errno. EBADF once the file is closed. */
    public long read(int stripe, long address, long length) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return Libc.read(fd, address, length);
        } finally {
            exit(stripe);
        }
    }

    /** One request of the device's own; 0 or more, or a negative errno. EBADF once the file is closed. */
    public int ioctl(int stripe, long request, long argument) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return Libc.ioctl(fd, request, argument);
        } finally {
            exit(stripe);
        }
    }

    /**
     * Waits until there is something to read. Meanwhile {@link #close()} waits too, so this is for short times; and it
     * allocates.
     *
     * @return 1, 0 when the time was up or a signal came, or a negative errno
     */
    public int awaitInput(int stripe, long timeoutNs) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return InputPoll.await(fd, timeoutNs);
        } finally {
            exit(stripe);
        }
    }

    /** One mapping; its address, or a negative errno. EBADF once the file is closed. */
    public long mapShared(int stripe, long offset, long length) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return Libc.mapShared(fd, offset, length);
        } finally {
            exit(stripe);
        }
    }

    /** As {@link #mapShared}, to be read alone. */
    public long mapReadOnly(int stripe, long offset, long length) {
        if (!enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return Libc.mapReadOnly(fd, offset, length);
        } finally {
            exit(stripe);
        }
    }

    /**
     * Begins a use of {@link #fd()}, which {@link #exit} ends.
     *
     * @return false, and nothing is begun, if the file is closed
     */
    public boolean enter(int stripe) {
        INSIDE.getAndAdd(inside, slot(stripe), 1L);
        // Both sides write first and look then, in sequentially consistent order: either we see the close, or it us.
        if ((boolean) CLOSED.getVolatile(this)) {
            exit(stripe);
            return false;
        }
        return true;
    }

    /** Ends a use that {@link #enter} began. */
    public void exit(int stripe) {
        INSIDE.getAndAdd(inside, slot(stripe), -1L);
        // As in enter: either we see the close and wake whoever waits for us, or it sees that we are out.
        if ((boolean) CLOSED.getVolatile(this)) {
            LockSupport.unpark(closer);
        }
    }

    private static int slot(int stripe) {
        return ((stripe & STRIPES - 1) + 1) * LONGS_PER_STRIPE;
    }

    /** Whether {@link #close()} has begun. */
    public boolean isClosed() {
        return (boolean) CLOSED.getVolatile(this);
    }

    /** Turns new calls away, waits for those inside, closes the descriptor. Idempotent. */
    @Override
    public void close() {
        Thread self = Thread.currentThread();
        synchronized (inside) {
            if ((boolean) CLOSED.getVolatile(this)) {
                return;
            }
            closer = self;
            CLOSED.setVolatile(this, true);
        }
        boolean interrupted = false;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            for (int spins = 0; (long) INSIDE.getVolatile(inside, slot(stripe)) != 0; spins++) {
                if (spins < SPINS_BEFORE_PARK) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.park(this);
                    // A park returns at once while the flag is set.
                    interrupted |= Thread.interrupted();
                }
            }
        }
        if (interrupted) {
            self.interrupt();
        }
        Libc.close(fd);
    }
}
