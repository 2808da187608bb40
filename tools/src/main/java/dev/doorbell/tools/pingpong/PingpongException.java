package dev.doorbell.tools.pingpong;

/** The ping-pong cannot go on. The message is a sentence for the user. */
public final class PingpongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PingpongException(String sentence) {
        super(sentence);
    }

    PingpongException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
