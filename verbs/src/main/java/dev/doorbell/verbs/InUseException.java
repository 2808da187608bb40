package dev.doorbell.verbs;

/**
 * Another thread is in the middle of something (EBUSY): what it uses can neither be closed nor taken away by closing the
 * context. Users see a {@link VerbsException}.
 */
final class InUseException extends VerbsException {
    private static final long serialVersionUID = 1L;

    InUseException(Refusal refusal) {
        super(refusal);
    }
}
