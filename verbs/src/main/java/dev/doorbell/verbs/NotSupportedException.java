package dev.doorbell.verbs;

/**
 * The kernel, its driver or this driver does not have the operation (EOPNOTSUPP).
 *
 * <p>The C library answers EOPNOTSUPP in the same places. Ask {@link Context#supports} or {@link QueuePair#supports}
 * first where a program has another way.
 *
 * <p>Thread rules: immutable.
 */
public final class NotSupportedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    NotSupportedException(Refusal refusal) {
        super(refusal);
    }
}
