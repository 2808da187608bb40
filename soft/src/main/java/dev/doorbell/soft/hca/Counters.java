package dev.doorbell.soft.hca;

import java.util.Map;

/** Counts of one writer, whose lock guards them. Whoever only wants to report them may read at any time. */
final class Counters {
    private static final int PADDING = 8;

    private final long[] counts = new long[PADDING + Counter.values().length + PADDING];

    void add(Counter counter) {
        counts[PADDING + counter.ordinal()]++;
    }

    void addTo(Map<String, Long> totals) {
        for (Counter counter : Counter.values()) {
            totals.merge(counter.label(), counts[PADDING + counter.ordinal()], Long::sum);
        }
    }

    void addTo(Counters total) {
        for (int at = PADDING; at < counts.length - PADDING; at++) {
            total.counts[at] += counts[at];
        }
    }
}
