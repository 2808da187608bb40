package dev.doorbell.verbs;

import java.time.Duration;

/** Time limits as the code counts them. */
final class Deadline {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private Deadline() {}

    /** Nanoseconds of a duration: none if it is negative, and about a century and a half at most. */
    static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }
}
