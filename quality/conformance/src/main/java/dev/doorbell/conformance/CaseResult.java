package dev.doorbell.conformance;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of a case on a fabric.
 *
 * @param reason why it was skipped, failed or differs; else empty
 * @param assertions how many expectations were checked
 * @param failure what it threw, if it failed
 */
public record CaseResult(
        ConformanceCase test,
        Outcome outcome,
        String reason,
        int assertions,
        Duration duration,
        @Nullable Throwable failure) {}
