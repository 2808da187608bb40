package dev.doorbell.soft.hca;

/**
 * Whether the program behind a queue pair answers messages at once. Where it does, an acknowledgement waits a moment for
 * what the program posts next, and travels with it; where it does not, waiting would only keep the peer waiting.
 *
 * <p>It is learned from one message for the next: from how long after a message the queue pair sends something of its own.
 * Belongs to the responder and its lock; {@link #isOpen} may be read by anybody.
 */
final class ReplyHabit {
    /** How soon "at once" is: some times what a program needs that polls, and little against a round trip. */
    static final long SOON_NS = 10_000;

    private boolean prompt;
    private long sinceNs;

    /** Whether a message came since the queue pair last sent something. */
    private volatile boolean open;

    /** A message came that asks for an acknowledgement. */
    void message(long nowNs) {
        sinceNs = nowNs;
        if (!open) {
            open = true;
        }
    }

    /** Whether it is worth while to wait, or to go on waiting, for what the program posts. */
    boolean mayWait(long nowNs) {
        prompt = prompt && nowNs - sinceNs < SOON_NS;
        return prompt;
    }

    boolean isOpen() {
        return open;
    }

    /** The queue pair sends something of its own. */
    void reply(long nowNs) {
        if (open) {
            open = false;
            prompt = nowNs - sinceNs < SOON_NS;
        }
    }
}
