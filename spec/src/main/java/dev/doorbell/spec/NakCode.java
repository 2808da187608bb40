package dev.doorbell.spec;

/**
 * Why a responder refuses a request, as the low five bits of a NAK's syndrome.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, chapter 9 (transport layer).
 *
 * <p>Thread rules: immutable.
 */
public enum NakCode {
    /** A packet is missing before this one. */
    PSN_SEQUENCE_ERROR(0),
    /** The request makes no sense to this queue pair. */
    INVALID_REQUEST(1),
    /** Key, range or rights are wrong. */
    REMOTE_ACCESS_ERROR(2),
    /** The responder failed by itself. */
    REMOTE_OPERATIONAL_ERROR(3),
    /** Reliable datagram only. */
    INVALID_RD_REQUEST(4),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1);

    private static final NakCode[] VALUES = values();

    private final int code;

    NakCode(int code) {
        this.code = code;
    }

    /** The number in a syndrome; -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static NakCode of(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? VALUES[code] : UNKNOWN;
    }
}
