package dev.doorbell.verbs;

import java.time.Duration;

/**
 * How a thread waits for completions: how long it keeps looking before it blocks. Looking finds a completion soonest and
 * keeps a processor busy; a thread that blocks costs nothing and needs to be woken.
 *
 * <p>Looking is ibv_poll_cq(3); blocking is ibv_req_notify_cq(3) with ibv_get_cq_event(3).
 *
 * <p>Thread rules: immutable.
 *
 * @param spin for how long a thread looks, each time that it has found nothing, before it blocks
 */
public record WaitPolicy(Duration spin) {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** What completion queues do unless told otherwise: 50 microseconds, about the time of a round trip on a busy machine. */
    public static final WaitPolicy DEFAULT = spinThenBlock(Duration.ofNanos(50_000));

    /** Looks, arms, looks again and blocks. */
    public static WaitPolicy blockAtOnce() {
        return new WaitPolicy(Duration.ZERO);
    }

    /** Looks for this long and then blocks. */
    public static WaitPolicy spinThenBlock(Duration spin) {
        return new WaitPolicy(spin);
    }

    /** Never blocks: for a thread that has a processor to itself. The queue then needs no file for events. */
    public static WaitPolicy alwaysSpin() {
        return new WaitPolicy(FOR_EVER);
    }

    /** Whether a thread ever blocks. */
    public boolean blocks() {
        return !spin.equals(FOR_EVER);
    }
}
