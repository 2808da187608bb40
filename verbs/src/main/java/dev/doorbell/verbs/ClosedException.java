package dev.doorbell.verbs;

/** The object was closed before, or is being closed by another thread (EBADF). */
public final class ClosedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    ClosedException(Refusal refusal) {
        super(refusal);
    }
}
