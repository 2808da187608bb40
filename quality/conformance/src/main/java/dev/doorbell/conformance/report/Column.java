package dev.doorbell.conformance.report;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The results of one fabric, as they are checked in: {@code # TITLE}, then a line for each case in the order of their names,
 * {@code NAME OUTCOME REASON}.
 *
 * @param name the fabric's name
 * @param title the fabric's title
 * @param entries what became of each case, by name
 */
public record Column(String name, String title, Map<String, Entry> entries) {
    /** The number of an object and its device, which differ from run to run. */
    private static final Pattern NUMBERS = Pattern.compile(" 0x[0-9a-f]+ of \\w+");

    /** What became of a case. */
    public record Entry(Outcome outcome, String reason) {}

    public Column {
        entries = new TreeMap<>(entries);
    }

    /** From results. */
    public static Column of(String name, String title, Collection<CaseResult> results) {
        Map<String, Entry> entries = new TreeMap<>();
        for (CaseResult result : results) {
            String reason = result.outcome() == Outcome.FAIL
                    ? ""
                    : NUMBERS.matcher(result.reason()).replaceAll("");
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

    /**
     * How the cases of this run differ from what is expected of them: a line each, empty for as expected.
     *
     * @param expected as checked in
     * @param all whether all cases were run, so that none of the expected may be missing
     */
    public List<String> unlike(Column expected, boolean all) {
        List<String> lines = new ArrayList<>();
        Set<String> names = new TreeSet<>(entries.keySet());
        if (all) {
            names.addAll(expected.entries.keySet());
        }
        for (String test : names) {
            Entry now = entries.get(test);
            Entry before = expected.entries.get(test);
            if (!Objects.equals(now, before)) {
                lines.add(test + ": " + describe(now) + ", and checked in is " + describe(before));
            }
        }
        return lines;
    }

    private static String describe(@Nullable Entry entry) {
        return entry == null ? "nothing" : (entry.outcome() + " " + entry.reason()).strip();
    }

    /** How many cases ended so. */
    public long count(Outcome outcome) {
        return entries.values().stream()
                .filter(entry -> entry.outcome() == outcome)
                .count();
    }
}
