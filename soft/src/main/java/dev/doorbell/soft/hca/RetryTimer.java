package dev.doorbell.soft.hca;

import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.RnrTimer;

/**
 * The one timer of a requester: it waits for an answer (rule 3.3, local ACK timeout), for a receiver to become ready
 * (RNR timer), or for the link to have room. Written under the requester's lock; {@link #deadlineNs} may be read by any thread.
 */
final class RetryTimer {
    /** The deadline of a timer that does not run. */
    static final long NEVER = Long.MAX_VALUE;

    /** Long enough for a receiver that runs to take some packets. */
    private static final long ROOM_NS = 20_000;

    private final Hca hca;
    private Purpose purpose = Purpose.IDLE;
    private volatile long deadlineNs = NEVER;

    /** What a timer waits for. */
    enum Purpose {
        IDLE,
        ANSWER,
        /** For an answer, for so long that its absence is suspicious. */
        PROBE,
        RECEIVER,
        ROOM
    }

    RetryTimer(Hca hca) {
        this.hca = hca;
    }

    Purpose purpose() {
        return purpose;
    }

    /** Device time at which it expires, or {@link #NEVER}. */
    long deadlineNs() {
        return deadlineNs;
    }

    /** Starts to wait for an answer; code 0 waits for ever. */
    void awaitAnswer(int timeoutCode) {
        purpose = Purpose.ANSWER;
        long timeoutNs = AckTimeout.nanos(timeoutCode);
        start(timeoutNs == Long.MAX_VALUE ? NEVER : hca.nowNs() + timeoutNs);
    }

    /** Starts to wait for an answer for what is left of the local ACK timeout. */
    void awaitRest(long ns) {
        purpose = Purpose.ANSWER;
        start(hca.nowNs() + ns);
    }

    /** Starts to wait until the absence of an answer is suspicious. */
    void awaitSuspicion(long ns) {
        purpose = Purpose.PROBE;
        start(hca.nowNs() + ns);
    }

    /** Starts to wait until the receiver may be ready. */
    void awaitReceiver(int timerCode) {
        purpose = Purpose.RECEIVER;
        start(hca.nowNs() + RnrTimer.nanos(timerCode));
    }

    /** Starts to wait until the link may have room again. */
    void awaitRoom() {
        purpose = Purpose.ROOM;
        start(hca.nowNs() + ROOM_NS);
    }

    void stop() {
        purpose = Purpose.IDLE;
        if (deadlineNs != NEVER) {
            deadlineNs = NEVER;
        }
    }

    private void start(long deadline) {
        deadlineNs = deadline;
        if (deadline != NEVER) {
            hca.schedule(deadline);
        }
    }
}
