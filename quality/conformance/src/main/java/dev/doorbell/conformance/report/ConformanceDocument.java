package dev.doorbell.conformance.report;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code docs/conformance.md}: a row for each case, its variations together, and a column for each fabric. */
public final class ConformanceDocument {
    private final List<ConformanceCase> cases;
    private final List<Column> columns;
    private final List<String> appendices;
    private final List<String> notes = new ArrayList<>();

    /**
     * @param cases all cases, in their order
     * @param columns the fabrics' results
     * @param appendices further sections, each with its heading
     */
    public ConformanceDocument(List<ConformanceCase> cases, List<Column> columns, List<String> appendices) {
        this.cases = List.copyOf(cases);
        this.columns = List.copyOf(columns);
        this.appendices = List.copyOf(appendices);
    }

    /** The whole text. */
    public String text() {
        notes.clear();
        StringBuilder text = new StringBuilder();
        text.append("""
                # Conformance

                What a verbs device has to do, as cases that are written once and run on every kernel. This document is made from the results in
                `quality/conformance/results`; a test fails while it differs from what the suite finds, and says how to make it anew. Where
                a case comes from stands beside it: a man page, a rule of [transport.md](spec/transport.md), or a test of rdma-core's pyverbs
                (`test_…`). Variations of a case, such as the path MTU, share a row; their number stands behind the outcome.
                `embedded-udp` sends by system calls of Linux; Java's datagram channels are put to all cases too, and have to pass them all.

                """);
        summary(text);
        Map<String, List<ConformanceCase>> groups = cases.stream()
                .collect(Collectors.groupingBy(ConformanceCase::group, LinkedHashMap::new, Collectors.toList()));
        groups.forEach((group, members) -> table(text, group, members));
        if (!notes.isEmpty()) {
            text.append("\n## Notes\n\n");
            for (int i = 0; i < notes.size(); i++) {
                text.append(i + 1).append(". ").append(notes.get(i)).append('\n');
            }
        }
        appendices.forEach(appendix -> text.append('\n').append(appendix));
        return text.toString();
    }

    private void summary(StringBuilder text) {
        Set<String> families =
                cases.stream().map(ConformanceCase::family).collect(Collectors.toCollection(LinkedHashSet::new));
        text.append("%d cases in %d rows.\n\n".formatted(cases.size(), families.size()));
        text.append("| fabric | | pass | declared difference | skip | fail |\n| --- | --- | --- | --- | --- | --- |\n");
        for (Column column : columns) {
            text.append("| `%s` | %s | %d | %d | %d | %d |\n"
                    .formatted(
                            column.name(),
                            column.title(),
                            column.count(Outcome.PASS),
                            column.count(Outcome.DIFFERENCE),
                            column.count(Outcome.SKIP),
                            column.count(Outcome.FAIL)));
        }
    }

    private void table(StringBuilder text, String group, List<ConformanceCase> members) {
        text.append("\n## ").append(group).append("\n\n| case | from |");
        columns.forEach(column -> text.append(" `").append(column.name()).append("` |"));
        text.append("\n| --- | --- |").append(" --- |".repeat(columns.size())).append('\n');
        Map<String, List<ConformanceCase>> rows = members.stream()
                .collect(Collectors.groupingBy(ConformanceCase::family, LinkedHashMap::new, Collectors.toList()));
        rows.forEach((family, variations) -> {
            text.append("| `").append(family).append("` | ");
            text.append(variations.getFirst().origin()).append(" |");
            columns.forEach(
                    column -> text.append(' ').append(cell(column, variations)).append(" |"));
            text.append('\n');
        });
    }

    private String cell(Column column, List<ConformanceCase> variations) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (ConformanceCase test : variations) {
            Column.Entry entry = column.entries().get(test.name());
            counts.merge(entry == null ? "not run" : outcome(entry), 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(count -> count.getKey() + (variations.size() == 1 ? "" : " × " + count.getValue()))
                .collect(Collectors.joining(", "));
    }

    private String outcome(Column.Entry entry) {
        String word = entry.outcome().name().toLowerCase(Locale.ROOT);
        if (entry.reason().isEmpty()) {
            return word;
        }
        int at = notes.indexOf(entry.reason());
        if (at < 0) {
            at = notes.size();
            notes.add(entry.reason());
        }
        return word + " (" + (at + 1) + ")";
    }
}
