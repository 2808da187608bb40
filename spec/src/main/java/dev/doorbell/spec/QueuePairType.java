package dev.doorbell.spec;

/**
 * Transport services of queue pairs.
 *
 * <p>Follows {@code enum ibv_qp_type} (ibv_create_qp(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum QueuePairType {
    /** Reliable connection. */
    RC(2),
    /** Unreliable connection. */
    UC(3),
    /** Unreliable datagram. */
    UD(4);

    private static final QueuePairType[] VALUES = values();

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** The number that kernel commands use ({@code enum ib_qp_type}). */
    public int code() {
        return code;
    }

    /**
     * The constant with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static QueuePairType of(int code) {
        for (QueuePairType value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("QueuePairType has no number " + code);
    }
}
