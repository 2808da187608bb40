package dev.doorbell.soft.hca;

/**
 * What is known about the conversation that a queue pair is in, so that acknowledgements cost it little.
 *
 * <p>Where the program answers messages at once, an acknowledgement waits a moment for what the program posts next, and
 * travels with it. Where the peer goes on without having seen it, there is no need for one with each reply either: then
 * one in some replies carries it. Where neither is so, waiting would only keep the peer waiting, and it leaves at once.
 *
 * <pre>
 *   message ─ before the reply: soon? ─ reply ─ after the reply: does the next message come without it? ─ message
 * </pre>
 *
 * <p>Each is learned from one message for the next; the second is tried now and then. Belongs to the responder and its
 * lock; {@link #isOpen} and {@link #goesAlone} may be read by anybody.
 */
final class ReplyHabit {
    /** How soon "at once" is: some times what a program needs that polls. Nothing waits for longer. */
    static final long SOON_NS = 25_000;

    /** Replies of which one carries the acknowledgement, where the peer does not wait for it. */
    static final int REPLIES_PER_ACK = 8;

    /** Replies before it is tried again whether the peer waits, if it did the last time: twice as many each time. */
    static final int MOST_REPLIES_PER_TRIAL = 1024;

    /** Messages before a reply; more are a stream. */
    private static final int MOST_MESSAGES = 4;

    private boolean prompt;
    private long sinceNs;
    private int messages;

    /** Whether the peer goes on without an acknowledgement. */
    private boolean carefree;

    /** Whether the last reply went without the acknowledgement. */
    private boolean owing;

    /** Replies up to one that is different from the others: with the acknowledgement, or for a trial without. */
    private int repliesLeft = REPLIES_PER_ACK;

    private int repliesPerTrial = REPLIES_PER_ACK;

    /** Whether a message came since the queue pair last sent something. */
    private volatile boolean open;

    /** A message came that asks for an acknowledgement. */
    void message(long nowNs) {
        if (owing) {
            owing = false;
            carefree = true;
        }
        sinceNs = nowNs;
        if (!open) {
            open = true;
            messages = 0;
        }
        prompt = prompt && ++messages <= MOST_MESSAGES;
    }

    /** Whether it is worth while to wait, or to go on waiting: for what the program posts, or for the next message. */
    boolean mayWait(long nowNs) {
        boolean soon = nowNs - sinceNs < SOON_NS;
        if (!owing) {
            prompt = prompt && soon;
        }
        return prompt && soon;
    }

    /** An acknowledgement left by itself. */
    void acknowledged() {
        if (owing) {
            owing = false;
            carefree = false;
            repliesPerTrial = Math.min(2 * repliesPerTrial, MOST_REPLIES_PER_TRIAL);
            repliesLeft = repliesPerTrial;
        }
    }

    boolean isOpen() {
        return open;
    }

    /** Whether the next reply will most likely go without the acknowledgement. Any thread; a guess. */
    boolean goesAlone() {
        return carefree && repliesLeft > 1;
    }

    /** The queue pair sends something of its own; whether the acknowledgement should go with it. */
    boolean reply(long nowNs) {
        if (!open) {
            return true;
        }
        open = false;
        prompt = nowNs - sinceNs < SOON_NS;
        sinceNs = nowNs;
        boolean different = --repliesLeft <= 0;
        if (different) {
            repliesLeft = REPLIES_PER_ACK;
            repliesPerTrial = carefree ? REPLIES_PER_ACK : repliesPerTrial;
        }
        owing = prompt && carefree != different;
        return !owing;
    }
}
