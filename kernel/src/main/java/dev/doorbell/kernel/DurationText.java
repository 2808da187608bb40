package dev.doorbell.kernel;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as messages tell them: {@code 30 s}, {@code 2.5 s}, {@code 20 ms}. */
public final class DurationText {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private DurationText() {}

    /** A number with the largest unit of s, ms, us and ns of which there is at least one; {@code 0 s} for nothing and less. */
    public static String of(Duration duration) {
        if (!duration.isPositive()) {
            return "0 s";
        }
        long ns = duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
        if (ns >= 1_000_000_000) {
            return text(ns, 9, " s");
        }
        if (ns >= 1_000_000) {
            return text(ns, 6, " ms");
        }
        return ns >= 1_000 ? text(ns, 3, " us") : text(ns, 0, " ns");
    }

    private static String text(long ns, int digits, String unit) {
        return BigDecimal.valueOf(ns, digits).stripTrailingZeros().toPlainString() + unit;
    }
}
