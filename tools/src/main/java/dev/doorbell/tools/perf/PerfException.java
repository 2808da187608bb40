package dev.doorbell.tools.perf;

/** The measurement cannot go on. The message is a sentence for the user. */
public final class PerfException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PerfException(String sentence) {
        super(sentence);
    }
}
