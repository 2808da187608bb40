package dev.doorbell.verbs;

/** The kernel, its driver or this driver does not have the operation (EOPNOTSUPP). */
public final class NotSupportedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    NotSupportedException(Refusal refusal) {
        super(refusal);
    }
}
