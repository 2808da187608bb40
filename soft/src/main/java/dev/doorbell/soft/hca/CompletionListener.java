package dev.doorbell.soft.hca;

/**
 * What a completion queue reports by itself. The thread rules are those of {@link HcaListener}.
 */
public interface CompletionListener {
    /** A completion arrived that the queue was armed for; it is not armed any more. */
    void completion();

    /** A completion did not fit. The queue is in error: it takes no more completions. Reported once. */
    void overflow();
}
