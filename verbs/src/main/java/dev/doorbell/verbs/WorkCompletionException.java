package dev.doorbell.verbs;

import dev.doorbell.spec.WorkCompletionStatus;

/**
 * A work request that had to succeed did not. It was executed or flushed all the same: it is not outstanding any more.
 *
 * <p>Carries what ibv_poll_cq(3) calls valid on a failed completion.
 *
 * <p>Thread rules: immutable.
 */
public final class WorkCompletionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final long id;
    private final WorkCompletionStatus status;
    private final int vendorError;
    private final int queuePairNumber;

    WorkCompletionException(WorkCompletion completion) {
        super(Refusal.of(
                        0,
                        "work request " + completion.id(),
                        "queue pair 0x" + Integer.toHexString(completion.queuePairNumber()))
                .rule(completion.outcome()));
        this.id = completion.id();
        this.status = completion.status();
        this.vendorError = completion.vendorError();
        this.queuePairNumber = completion.queuePairNumber();
    }

    /** Identifier of the work request. */
    public long id() {
        return id;
    }

    /** How it ended. */
    public WorkCompletionStatus status() {
        return status;
    }

    /** The device's own error number. */
    public int vendorError() {
        return vendorError;
    }

    /** Number of the queue pair. */
    public int queuePairNumber() {
        return queuePairNumber;
    }
}
