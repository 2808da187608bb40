package dev.doorbell.conformance.report;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.Outcome;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many cases of each chapter ended how. A chapter is what the names of its cases begin with: {@code rc}, {@code mw}. */
public final class Chapters {
    private final Map<String, Map<Outcome, Integer>> counts = new LinkedHashMap<>();

    /** Counts results, in the order in which chapters first occur. */
    public Chapters(Collection<CaseResult> results) {
        for (CaseResult result : results) {
            counts.computeIfAbsent(result.test().group(), chapter -> new EnumMap<>(Outcome.class))
                    .merge(result.outcome(), 1, Integer::sum);
        }
    }

    /** The chapters' names, in order. */
    public Collection<String> names() {
        return counts.keySet();
    }

    /** How many cases of a chapter ended so. */
    public int count(String chapter, Outcome outcome) {
        return counts.getOrDefault(chapter, Map.of()).getOrDefault(outcome, 0);
    }
}
