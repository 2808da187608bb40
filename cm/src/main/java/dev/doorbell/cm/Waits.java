package dev.doorbell.cm;

import java.time.Duration;

/** Time limits as commands and waits count them. */
final class Waits {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private Waits() {}

    /** Nanoseconds: none if it is negative, and about a century and a half at most. */
    static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }

    /** Milliseconds for a command: one at least. */
    static int millis(Duration duration) {
        return (int) Math.clamp(nanos(duration) / 1_000_000, 1L, Integer.MAX_VALUE);
    }
}
