package dev.doorbell.verbs;

/**
 * A field of a completion was read that this completion does not have (ENODATA).
 *
 * <p>ibv_poll_cq(3) calls such fields not valid, and leaves in them what was there.
 *
 * <p>Thread rules: immutable.
 */
public final class InvalidFieldException extends VerbsException {
    private static final long serialVersionUID = 1L;

    InvalidFieldException(Refusal refusal) {
        super(refusal);
    }
}
