package dev.doorbell.mlx5;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of the vectors, by kind. */
final class Tally {
    private static final int SHOWN = 30;
    private final Map<String, int[]> counts = new TreeMap<>();
    private final Map<String, Map<String, Integer>> reasons = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    void replayed(String kind) {
        count(kind)[0]++;
    }

    void notApplicable(String kind, String reason) {
        count(kind)[1]++;
        reasons.computeIfAbsent(kind, key -> new TreeMap<>()).merge(reason, 1, Integer::sum);
    }

    void failed(String kind, String what) {
        count(kind)[2]++;
        failures.add(kind + ' ' + what);
    }

    private int[] count(String kind) {
        return counts.computeIfAbsent(kind, key -> new int[3]);
    }

    List<String> failures() {
        return failures.subList(0, Math.min(SHOWN, failures.size()));
    }

    /** The table, as it stands in the documentation. */
    String table() {
        StringBuilder text =
                new StringBuilder("| kind | replayed | not applicable | failing |\n| --- | --- | --- | --- |\n");
        counts.forEach(
                (kind, count) -> text.append("| %s | %d | %d | %d |\n".formatted(kind, count[0], count[1], count[2])));
        text.append("\n| kind | not applicable | vectors |\n| --- | --- | --- |\n");
        reasons.forEach((kind, why) ->
                why.forEach((reason, count) -> text.append("| %s | %s | %d |\n".formatted(kind, reason, count))));
        return text.toString();
    }
}
