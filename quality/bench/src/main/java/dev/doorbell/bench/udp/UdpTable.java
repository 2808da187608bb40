package dev.doorbell.bench.udp;

import dev.doorbell.bench.Figure;
import java.util.List;
import java.util.Locale;

/** Figures as a table in Markdown, each with its ratio to one of them, round by round. */
final class UdpTable {
    private UdpTable() {}

    /**
     * One row a figure.
     *
     * @param title what is measured, with its unit
     * @param scale by what the figures are divided
     * @param reference which one the others are compared with
     */
    static String of(String title, double scale, List<Figure> figures, int reference) {
        Figure yardstick = figures.get(reference);
        StringBuilder text = new StringBuilder();
        String spread = "least..most of " + yardstick.rounds().size();
        row(text, title, "median", spread, "× " + yardstick.name());
        row(text, "---", "---:", "---:", "---:");
        for (Figure figure : figures) {
            Figure ratio = figure.over(yardstick);
            row(
                    text,
                    figure.name(),
                    String.format(Locale.ROOT, "%.2f", figure.median() / scale),
                    String.format(Locale.ROOT, "%.2f..%.2f", figure.smallest() / scale, figure.largest() / scale),
                    String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", ratio.median(), ratio.smallest(), ratio.largest()));
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String what, String median, String spread, String ratio) {
        text.append(String.format(Locale.ROOT, "| %-52s | %7s | %20s | %24s |%n", what, median, spread, ratio));
    }
}
