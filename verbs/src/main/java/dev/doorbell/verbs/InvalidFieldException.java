package dev.doorbell.verbs;

/** A field of a completion was read that this completion does not have (ENODATA). */
public final class InvalidFieldException extends VerbsException {
    private static final long serialVersionUID = 1L;

    InvalidFieldException(Refusal refusal) {
        super(refusal);
    }
}
