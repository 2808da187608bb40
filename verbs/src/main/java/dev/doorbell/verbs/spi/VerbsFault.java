package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.Errno;
import org.jspecify.annotations.Nullable;

/**
 * A provider's refusal: the errno and what it was about. The API turns it into a
 * {@code VerbsException} that also names the object, the limits and the remedy.
 *
 * <p>Thread rules: immutable.
 */
public final class VerbsFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;
    private final boolean lostRing;

    /**
     * A refusal.
     *
     * @param errno the error number, positive
     * @param operation what was refused, such as {@code CREATE_QP}
     */
    public VerbsFault(int errno, String operation) {
        this(errno, operation, null, false);
    }

    /**
     * A refusal with what it goes back to.
     *
     * @param errno the error number, positive
     * @param operation what was refused
     * @param cause what was thrown below
     */
    public VerbsFault(int errno, String operation, Throwable cause) {
        this(errno, operation, cause, false);
    }

    private VerbsFault(int errno, String operation, @Nullable Throwable cause, boolean lostRing) {
        super(operation + ": " + Errno.name(errno), cause);
        this.errno = errno;
        this.lostRing = lostRing;
    }

    /**
     * A queue whose ring is gone: the kernel went over to another one, which could not be mapped. The queue answers so until
     * it is resized once more, or closed.
     *
     * @param cause why it could not be mapped
     */
    public static VerbsFault lostRing(String operation, RuntimeException cause) {
        return new VerbsFault(Errno.EIO, operation, cause, true);
    }

    /** Whether the queue has lost its ring ({@link #lostRing(String, RuntimeException)}). */
    public boolean isLostRing() {
        return lostRing;
    }

    /** The error number, positive. */
    public int errno() {
        return errno;
    }

    /** The answer of everything that a driver lacks. */
    public static VerbsFault unsupported(String operation) {
        return new VerbsFault(Errno.EOPNOTSUPP, operation);
    }
}
