package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.Errno;

/**
 * A provider's refusal: the errno and what it was about. The API turns it into a
 * {@code VerbsException} that also names the object, the limits and the remedy.
 *
 * <p>Thread rules: immutable.
 */
public final class VerbsFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * A refusal.
     *
     * @param errno the error number, positive
     * @param operation what was refused, such as {@code CREATE_QP}
     */
    public VerbsFault(int errno, String operation) {
        super(operation + ": " + Errno.name(errno));
        this.errno = errno;
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
