package dev.doorbell.spec;

import java.time.Duration;

/**
 * How long a requester waits after "receiver not ready". A code of 5 bits stands for a time; the times are not in the
 * order of the codes: code 0 is the longest of all.
 *
 * <p>Follows the attribute {@code min_rnr_timer} of ibv_modify_qp(3).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class RnrTimer {
    /** How many codes there are. */
    public static final int CODES = 32;

    /** The times in units of 10 microseconds, by code. */
    private static final int[] HUNDREDTHS_OF_MILLISECONDS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final long UNIT_NS = 10_000;

    private RnrTimer() {}

    /**
     * The time of a code, in nanoseconds. Part of the data path.
     *
     * @param code only its low 5 bits count, as in a packet
     */
    public static long nanos(int code) {
        return HUNDREDTHS_OF_MILLISECONDS[code & CODES - 1] * UNIT_NS;
    }

    /**
     * The time of a code.
     *
     * @throws IllegalArgumentException if the code is not from 0 to 31
     */
    public static Duration duration(int code) {
        if (code < 0 || code >= CODES) {
            throw new IllegalArgumentException("RNR timer code " + code + " is not from 0 to 31");
        }
        return Duration.ofNanos(nanos(code));
    }

    /**
     * The code of the shortest time that is not shorter than {@code duration}; 10 microseconds at least.
     *
     * @throws IllegalArgumentException if it is negative or longer than 655.36 ms
     */
    public static int code(Duration duration) {
        Duration longest = duration(0);
        if (duration.isNegative() || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException("RNR timer " + duration + " is not from 0 to " + longest);
        }
        for (int code = 1; code < CODES; code++) {
            if (nanos(code) >= duration.toNanos()) {
                return code;
            }
        }
        return 0;
    }
}
