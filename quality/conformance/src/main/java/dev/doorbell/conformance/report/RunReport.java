package dev.doorbell.conformance.report;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run as a text in Markdown, for people who cannot ask the device themselves. */
public final class RunReport {
    private final Fabric fabric;
    private final List<CaseResult> results;
    private final Map<String, String> facts;
    private final List<String> devices;

    /**
     * @param facts what may matter besides, such as the time and the operating system, by name, in order
     * @param devices all that is known of each device, as plain text
     */
    public RunReport(Fabric fabric, List<CaseResult> results, Map<String, String> facts, List<String> devices) {
        this.fabric = fabric;
        this.results = List.copyOf(results);
        this.facts = new LinkedHashMap<>(facts);
        this.devices = List.copyOf(devices);
    }

    /** The whole text. */
    public String text() {
        Column column = Column.of(fabric.name(), fabric.title(), results);
        StringBuilder text = new StringBuilder("# Conformance of " + fabric.title() + "\n\n");
        text.append("**").append(SuiteLog.counts(column)).append("**, ");
        text.append(column.count(Outcome.DIFFERENCE))
                .append(" of those that passed with a difference that is declared for this kind of device.\n\n");
        facts.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        chapters(text);
        failures(text);
        reasons(text, Outcome.DIFFERENCE, "Declared differences");
        reasons(text, Outcome.SKIP, "Skipped");
        text.append("\n## Devices\n");
        devices.forEach(device -> fenced(text, device));
        text.append("\n## All results\n");
        fenced(text, column.toText());
        return text.toString();
    }

    private void chapters(StringBuilder text) {
        Chapters chapters = new Chapters(results);
        text.append("\n## Chapters\n\n| chapter | pass | declared difference | skip | fail |\n");
        text.append("| --- | --- | --- | --- | --- |\n");
        for (String chapter : chapters.names()) {
            text.append("| `").append(chapter).append("` |");
            for (Outcome outcome : Outcome.values()) {
                text.append(' ').append(chapters.count(chapter, outcome)).append(" |");
            }
            text.append('\n');
        }
    }

    private void failures(StringBuilder text) {
        text.append("\n## Failures\n");
        boolean none = true;
        for (CaseResult result : results) {
            if (result.outcome() == Outcome.FAIL) {
                none = false;
                text.append("\n### `").append(result.test()).append("`\n\n");
                text.append("Follows ").append(result.test().origin()).append("; ended after ");
                text.append(result.duration().toMillis()).append(" ms.\n");
                fenced(text, trace(result));
            }
        }
        if (none) {
            text.append("\nNone.\n");
        }
    }

    private static String trace(CaseResult result) {
        Throwable failure = result.failure();
        if (failure == null) {
            return result.reason();
        }
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    private void reasons(StringBuilder text, Outcome outcome, String title) {
        text.append("\n## ").append(title).append("\n\n");
        boolean none = true;
        for (CaseResult result : results) {
            if (result.outcome() == outcome) {
                none = false;
                text.append("- `")
                        .append(result.test())
                        .append("`: ")
                        .append(result.reason())
                        .append('\n');
            }
        }
        if (none) {
            text.append("None.\n");
        }
    }

    private static void fenced(StringBuilder text, String block) {
        text.append("\n```text\n").append(block.strip()).append("\n```\n");
    }
}
