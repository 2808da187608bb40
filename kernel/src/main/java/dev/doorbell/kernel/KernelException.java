package dev.doorbell.kernel;

/** A kernel refused something that is not a command: opening, mapping, pinning, reading events. */
public final class KernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * A refusal.
     *
     * @param errno the error number, positive
     * @param message what was refused, why, and what to do about it
     */
    public KernelException(int errno, String message) {
        super(message + " (" + Errno.name(errno) + ")");
        this.errno = errno;
    }

    /** The error number, positive. */
    public int errno() {
        return errno;
    }
}
