package dev.doorbell.conformance.saboteurs;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.Suite;
import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.fabric.EmbeddedFabric;
import java.time.Duration;
import java.util.function.BinaryOperator;

/** Runs one case with a short deadline. It is loaded a second time by {@link SabotagedLoader}: strings go in and out. */
public final class SabotagedRun implements BinaryOperator<String> {
    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final long SEED = 1;

    /** For the class loader. */
    public SabotagedRun() {}

    /**
     * Runs a case with the short deadline.
     *
     * @param test the case's name, a space, and the fabric's
     * @param run the number of one of several runs at the same time
     * @return the outcome's name, a space, and the reason
     */
    @Override
    public String apply(String test, String run) {
        return run(test, run, DEADLINE);
    }

    /** The same with another deadline. */
    static String run(String test, String run, Duration deadline) {
        String[] words = test.split(" ", -1);
        ConformanceCase named = AllCases.named(words[0]);
        ConformanceCase limited =
                new ConformanceCase(named.name(), named.origin(), named.needs(), deadline, named.body());
        Fabric on = EmbeddedFabric.named(words[1], Integer.parseInt(run));
        CaseResult result = new Suite(on, SEED).run(limited);
        return result.outcome() + " " + result.reason();
    }
}
