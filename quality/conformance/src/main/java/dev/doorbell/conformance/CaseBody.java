package dev.doorbell.conformance;

import dev.doorbell.conformance.bench.Bench;

/** What a case does. */
@FunctionalInterface
public interface CaseBody {
    /**
     * Does it. What it takes from the bench is closed by the bench.
     *
     * @throws Exception any exception fails the case
     */
    void run(Bench bench) throws Exception;
}
