package dev.doorbell.tools.cm;

/** The program cannot go on. The message is a sentence for the user. */
public final class CmToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CmToolException(String sentence) {
        super(sentence);
    }
}
