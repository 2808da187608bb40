package dev.doorbell.tools;

/** A command cannot do what it was asked for. The message is the sentence that the user reads. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
