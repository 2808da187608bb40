package dev.doorbell.spec;

import java.time.Duration;

/**
 * How long a requester waits for an acknowledgement before it sends again: 4.096 microseconds times two to the power of
 * a code of 5 bits. Code 0 means for ever.
 *
 * <p>Follows the attribute {@code timeout} of ibv_modify_qp(3).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class AckTimeout {
    /** The code of waiting for ever. */
    public static final int INFINITE = 0;

    /** The largest code, about two and a half hours. */
    public static final int MAX_CODE = 31;

    private static final long UNIT_NS = 4096;

    private AckTimeout() {}

    /**
     * The time of a code, in nanoseconds; {@link Long#MAX_VALUE} for ever. Part of the data path.
     *
     * @param code only its low 5 bits count
     */
    public static long nanos(int code) {
        int exponent = code & MAX_CODE;
        return exponent == INFINITE ? Long.MAX_VALUE : UNIT_NS << exponent;
    }

    /**
     * The time of a code; {@link Duration#ZERO} for code 0, which waits for ever.
     *
     * @throws IllegalArgumentException if the code is not from 0 to 31
     */
    public static Duration duration(int code) {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException("ACK timeout code " + code + " is not from 0 to 31");
        }
        return code == INFINITE ? Duration.ZERO : Duration.ofNanos(nanos(code));
    }

    /**
     * The code of the shortest time that is not shorter than {@code duration}; {@link Duration#ZERO} waits for ever.
     *
     * @throws IllegalArgumentException if it is negative or longer than code 31
     */
    public static int code(Duration duration) {
        Duration longest = duration(MAX_CODE);
        if (duration.isNegative() || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException("ACK timeout " + duration + " is not from 0 to " + longest);
        }
        if (duration.isZero()) {
            return INFINITE;
        }
        int code = 1;
        while (nanos(code) < duration.toNanos()) {
            code++;
        }
        return code;
    }
}
