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

    /** Runs a case on a fabric. Answers with the outcome's name, a space, and the reason. */
    @Override
    public String apply(String test, String fabric) {
        ConformanceCase named = AllCases.named(test);
        ConformanceCase hurried =
                new ConformanceCase(named.name(), named.origin(), named.needs(), DEADLINE, named.body());
        Fabric on = EmbeddedFabric.all().stream()
                .filter(candidate -> candidate.name().equals(fabric))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fabric is named " + fabric));
        CaseResult result = new Suite(on, SEED).run(hurried);
        return result.outcome() + " " + result.reason();
    }
}
