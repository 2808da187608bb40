package dev.doorbell.conformance.report;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.Outcome;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of one fabric, as they are checked in: {@code # TITLE}, then a line for each case in the order of their names,
 * {@code NAME OUTCOME REASON}.
 *
 * @param name the fabric's name
 * @param title the fabric's title
 * @param entries what became of each case, by name
 */
public record Column(String name, String title, Map<String, Entry> entries) {
    /** What became of a case. */
    public record Entry(Outcome outcome, String reason) {}

    public Column {
        entries = new TreeMap<>(entries);
    }

    /** From results. */
    public static Column of(String name, String title, Collection<CaseResult> results) {
        Map<String, Entry> entries = new TreeMap<>();
        for (CaseResult result : results) {
            String reason = result.outcome() == Outcome.FAIL ? "" : result.reason();
            entries.put(result.test().name(), new Entry(result.outcome(), reason));
        }
        return new Column(name, title, entries);
    }

    /**
     * From text.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static Column parse(String name, String text) {
        String title = name;
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# ")) {
                title = line.substring(2);
            } else if (!line.isBlank()) {
                String[] words = line.split(" ", 3);
                if (words.length < 2) {
                    throw new IllegalArgumentException("not a result: " + line);
                }
                entries.put(words[0], new Entry(Outcome.valueOf(words[1]), words.length > 2 ? words[2] : ""));
            }
        }
        return new Column(name, title, entries);
    }

    /** As text. */
    public String toText() {
        StringBuilder text = new StringBuilder("# ").append(title).append('\n');
        entries.forEach((test, entry) -> text.append((test + " " + entry.outcome() + " " + entry.reason()).strip())
                .append('\n'));
        return text.toString();
    }

    /** How many cases ended so. */
    public long count(Outcome outcome) {
        return entries.values().stream()
                .filter(entry -> entry.outcome() == outcome)
                .count();
    }
}
