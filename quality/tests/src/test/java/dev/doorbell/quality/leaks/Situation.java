package dev.doorbell.quality.leaks;

import dev.doorbell.spec.QueuePairState;

/** What a queue pair, or somebody who waits for it, is in the middle of when its context is killed. */
enum Situation {
    IDLE,
    /** Receives that no message took. */
    RECEIVES_POSTED,
    /** Sends whose answers are on their way. */
    SENDS_OUTSTANDING,
    /** The peer has no receive posted and said so; the requester will try again later. */
    RNR_WAITING,
    /** The peer's cable is out; the requester waits for an answer that does not come. */
    RETRY_TIMER_RUNNING,
    /** Sends posted while the send queue drains. */
    DRAINING,
    /** Completions that nobody polled, flushed ones among them. */
    UNPOLLED,
    /** A round of polling is open in this thread. */
    CURSOR_OPEN,
    /** A batch is open in this thread. */
    BATCH_OPEN,
    /** Threads wait for completions: of the queue and of a channel, platform and virtual. */
    WAITERS,
    /** Threads wait for asynchronous events. */
    EVENT_WAITERS,
    /** A channel and the events have selectables; a selector waits for them. */
    SELECTING,
    /** Events that nobody took. */
    UNREAD_EVENTS;

    /** Whether a queue pair can be in it in this state. */
    boolean isPossibleIn(QueuePairState state) {
        return switch (this) {
            case IDLE, CURSOR_OPEN, WAITERS, EVENT_WAITERS, SELECTING, UNREAD_EVENTS -> true;
            case RECEIVES_POSTED -> state != QueuePairState.RESET && state != QueuePairState.ERROR;
            case SENDS_OUTSTANDING, RNR_WAITING, RETRY_TIMER_RUNNING -> state == QueuePairState.RTS;
            case DRAINING -> state == QueuePairState.SQD;
            case BATCH_OPEN, UNPOLLED ->
                state == QueuePairState.RTS || state == QueuePairState.SQE || state == QueuePairState.ERROR;
        };
    }

    /** Whether a program that is in it can lose the context: somebody who waits holds on to it. */
    boolean canBeLost() {
        return switch (this) {
            case IDLE,
                    RECEIVES_POSTED,
                    SENDS_OUTSTANDING,
                    RNR_WAITING,
                    RETRY_TIMER_RUNNING,
                    DRAINING,
                    UNPOLLED,
                    UNREAD_EVENTS -> true;
            case CURSOR_OPEN, BATCH_OPEN, WAITERS, EVENT_WAITERS, SELECTING -> false;
        };
    }
}
