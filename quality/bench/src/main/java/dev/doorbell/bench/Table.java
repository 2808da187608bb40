package dev.doorbell.bench;

import java.util.List;
import java.util.Locale;

/** Figures as a table in Markdown: the first one is what the others are compared with. */
public final class Table {
    private Table() {}

    /** Nanoseconds and spread of each figure, and how many times the first one it is, round by round. */
    public static String of(List<Figure> figures) {
        StringBuilder text = new StringBuilder();
        row(
                text,
                "what",
                "median",
                "least..most of " + figures.getFirst().rounds().size(),
                "× the first line");
        row(text, "---", "---:", "---:", "---:");
        for (Figure figure : figures) {
            Figure ratio = figure.over(figures.getFirst());
            row(
                    text,
                    figure.name(),
                    String.format(Locale.ROOT, "%.1f ns", figure.median()),
                    String.format(Locale.ROOT, "%.1f..%.1f ns", figure.smallest(), figure.largest()),
                    String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", ratio.median(), ratio.smallest(), ratio.largest()));
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String what, String median, String spread, String ratio) {
        text.append(String.format(Locale.ROOT, "| %-58s | %10s | %20s | %20s |%n", what, median, spread, ratio));
    }
}
