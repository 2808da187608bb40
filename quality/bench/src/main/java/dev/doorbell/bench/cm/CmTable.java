package dev.doorbell.bench.cm;

import dev.doorbell.bench.Figure;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Rounds as a table in Markdown; the first scene is what the others are compared with, round by round. */
final class CmTable {
    private CmTable() {}

    /** What a scene gave. */
    record Row(String name, List<Round> rounds) {
        Figure figure(ToDoubleFunction<Round> value) {
            return new Figure(name, rounds.stream().mapToDouble(value).boxed().toList());
        }
    }

    static String of(String title, List<Row> rows) {
        StringBuilder text = new StringBuilder();
        row(
                text,
                title,
                "set-up a second",
                "least..most of " + rows.getFirst().rounds().size(),
                "× " + rows.getFirst().name(),
                "with tear-down",
                "heap, bytes",
                "rings, bytes");
        row(text, "---", "---:", "---:", "---:", "---:", "---:", "---:");
        Figure yardstick = rows.getFirst().figure(Round::setUpRate);
        for (Row row : rows) {
            Figure rate = row.figure(Round::setUpRate);
            Figure ratio = rate.over(yardstick);
            boolean isDoorbell = !row.equals(rows.getFirst());
            row(
                    text,
                    row.name(),
                    number(rate.median()),
                    number(rate.smallest()) + ".." + number(rate.largest()),
                    String.format(Locale.ROOT, "%.3f (%.3f..%.3f)", ratio.median(), ratio.smallest(), ratio.largest()),
                    number(row.figure(Round::wholeRate).median()),
                    isDoorbell ? number(row.figure(Round::idleHeapBytes).median()) : "",
                    isDoorbell ? number(row.figure(Round::idleRingBytes).median()) : "");
        }
        return text.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static void row(StringBuilder text, String... cells) {
        text.append(
                String.format(Locale.ROOT, "| %-42s | %15s | %16s | %22s | %14s | %11s | %12s |%n", (Object[]) cells));
    }
}
