package dev.doorbell.tools.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Environment variables that begin with DOORBELL_: those that mean something, and those that only look as if they did. */
public final class KnownSettings {
    private static final String PREFIX = "DOORBELL_";

    /** A slip is a letter or two. */
    private static final int MOST_SLIPS = 3;

    private static final List<String> NAMES = List.of(
            "DOORBELL_CAPTURE",
            "DOORBELL_CARRIER",
            "DOORBELL_DISCOVERY",
            "DOORBELL_DRIVER",
            "DOORBELL_FAULTS",
            "DOORBELL_JAVA_OPTIONS",
            "DOORBELL_LIBIBVERBS",
            "DOORBELL_MLX5_CQE_SIZE",
            "DOORBELL_MLX5_SCATTER_TO_CQE",
            "DOORBELL_SOFT",
            "DOORBELL_SOFT_MLX5");

    private KnownSettings() {}

    /** All variables that are read, in the order of the alphabet. */
    public static List<String> names() {
        return NAMES;
    }

    /** A finding for each variable of an environment that is meant for us. */
    static List<Finding> examine(Map<String, String> environment) {
        return new TreeMap<>(environment)
                .entrySet().stream()
                        .filter(variable -> variable.getKey().startsWith(PREFIX))
                        .map(variable -> examine(variable.getKey(), variable.getValue()))
                        .toList();
    }

    private static Finding examine(String name, String value) {
        return NAMES.contains(name)
                ? Finding.ok(name + "=" + value)
                : Finding.wrong("the variable " + name + " means nothing to anybody"
                        + nearest(name).map(other -> "; is it " + other + "?").orElse(".") + " There are "
                        + String.join(", ", NAMES));
    }

    private static Optional<String> nearest(String name) {
        return NAMES.stream()
                .min(Comparator.comparingInt((String other) -> distance(name, other)))
                .filter(other -> distance(name, other) <= MOST_SLIPS);
    }

    /** How many letters have to be changed, added or left out (Levenshtein). */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
