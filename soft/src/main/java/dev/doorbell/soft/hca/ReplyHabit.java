package dev.doorbell.soft.hca;

/**
 * What is known about the conversation that a queue pair is in, so that acknowledgements cost it little.
 *
 * <p>Where the program answers messages at once, an acknowledgement waits a moment for what the program posts next, and
 * travels with it. Where the peer goes on without having seen it, there is no need for one with each reply either: then
 * one in some replies is followed by it. Where neither is so, waiting would only keep the peer waiting, and it leaves at once.
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

    /** Replies of which one carries the acknowledgement, where the peer does not wait for it; more as long as that goes well. */
    static final int REPLIES_PER_ACK = 8;

    /** The most: a send queue that is not deep must not get empty. */
    static final int MOST_REPLIES_PER_ACK = 32;

    /** Acknowledgements in time before there are fewer of them: twice as many each time that it went wrong. */
    static final int ACKS_PER_TRIAL = 16;

    private static final int MOST_ACKS_PER_TRIAL = 1024;

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

    private int repliesPerAck = REPLIES_PER_ACK;

    /** Acknowledgements up to one after which there are fewer. */
    private int acksLeft = ACKS_PER_TRIAL;

    private int acksPerTrial = ACKS_PER_TRIAL;

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
            relapse();
        }
    }

    /** The peer waited: perhaps it only lets so many messages go without an acknowledgement. */
    private void relapse() {
        if (repliesPerAck > REPLIES_PER_ACK) {
            repliesPerAck = REPLIES_PER_ACK;
            acksPerTrial = Math.min(2 * acksPerTrial, MOST_ACKS_PER_TRIAL);
        }
        acksLeft = acksPerTrial;
    }

    /** An acknowledgement went with a reply that the peer had not waited for. */
    private void inTime() {
        if (repliesPerAck < MOST_REPLIES_PER_ACK && --acksLeft <= 0) {
            repliesPerAck *= 2;
            acksLeft = acksPerTrial;
        }
    }

    boolean isOpen() {
        return open;
    }

    /**
     * Whether the next reply had better leave first: without the acknowledgement, which follows now and then, while the peer
     * deals with the reply. Any thread; a guess.
     */
    boolean goesAlone() {
        return carefree;
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
            if (carefree) {
                inTime();
                repliesPerTrial = REPLIES_PER_ACK;
            }
            repliesLeft = repliesPerAck;
        }
        owing = prompt && carefree != different;
        return !owing;
    }
}
