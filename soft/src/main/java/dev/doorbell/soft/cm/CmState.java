package dev.doorbell.soft.cm;

/**
 * Where one side of a connection stands.
 *
 * <pre>
 *   active                                        passive
 *   IDLE ─ request ▶ REQ_SENT                     IDLE ─ REQ ▶ REQ_RECEIVED
 *     REQ_SENT ─ MRA ▶ MRA_RECEIVED                 REQ_RECEIVED ─ reply ▶ REP_SENT
 *     both ─ REP ▶ REP_RECEIVED                     REQ_RECEIVED ─ reject ▶ IDLE
 *     both ─ REJ, given up ▶ IDLE                   REP_SENT ─ RTU, a packet ▶ ESTABLISHED
 *     REP_RECEIVED ─ ready ▶ ESTABLISHED            REP_SENT ─ REJ, given up ▶ IDLE
 *
 *   ESTABLISHED ─ disconnect ▶ DISCONNECT_SENT ─ DREP, DREQ, given up ▶ TIME_WAIT
 *   ESTABLISHED ─ DREQ ▶ DISCONNECT_RECEIVED ─ disconnect ▶ TIME_WAIT
 *   TIME_WAIT ─ time ▶ IDLE
 * </pre>
 */
public enum CmState {
    IDLE,
    REQ_SENT,
    /** The request has arrived, the answer takes a while. */
    MRA_RECEIVED,
    REQ_RECEIVED,
    REP_RECEIVED,
    REP_SENT,
    ESTABLISHED,
    DISCONNECT_SENT,
    DISCONNECT_RECEIVED,
    /** Late messages may still come: its numbers are not used for another connection. */
    TIME_WAIT;

    /** Whether the answer to a request is awaited. */
    public boolean isAsking() {
        return this == REQ_SENT || this == MRA_RECEIVED;
    }

    /** Whether the connection can be used, as far as this side knows, or soon will be, or just was. */
    public boolean isConnected() {
        return switch (this) {
            case REP_SENT, REP_RECEIVED, ESTABLISHED -> true;
            case IDLE, REQ_SENT, MRA_RECEIVED, REQ_RECEIVED, DISCONNECT_SENT, DISCONNECT_RECEIVED, TIME_WAIT -> false;
        };
    }
}
