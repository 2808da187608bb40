package dev.doorbell.spec;

/**
 * States of a queue pair, in the order of their numbers.
 *
 * <p>Follows {@code enum ibv_qp_state} (ibv_modify_qp(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum QueuePairState {
    /** Just created: nothing may be posted. */
    RESET(0),
    /** Receives may be posted; no packet is taken. */
    INIT(1),
    /** Ready to receive. */
    RTR(2),
    /** Ready to send. */
    RTS(3),
    /** Send queue drains or is drained. */
    SQD(4),
    /** Send queue in error, receive queue at work (UC, UD). */
    SQE(5),
    /** Everything posted is flushed. */
    ERROR(6);

    private static final QueuePairState[] VALUES = values();

    private final int code;

    QueuePairState(int code) {
        this.code = code;
    }

    /** The number that kernel commands use ({@code enum ib_qp_state}). */
    public int code() {
        return code;
    }

    /**
     * The constant with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static QueuePairState of(int code) {
        for (QueuePairState value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("QueuePairState has no number " + code);
    }
}
