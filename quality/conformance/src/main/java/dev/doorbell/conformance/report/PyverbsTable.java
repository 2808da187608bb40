package dev.doorbell.conformance.report;

import dev.doorbell.conformance.ConformanceCase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which case does what a test of rdma-core's pyverbs does, and why some have none. The table is a text: a line
 * {@code MODULE.TEST: CASE CASE} or {@code MODULE.TEST - REASON} for each; what pyverbs does not test begins with
 * {@code gap}.
 */
public final class PyverbsTable {
    private static final String RESOURCE = "pyverbs.txt";

    private PyverbsTable() {}

    /**
     * A line of the table.
     *
     * @param test the test's name, or what is missing
     * @param cases families of cases, or none
     * @param reason why there is none, or empty
     */
    public record Line(String test, List<String> cases, String reason) {
        private static Line parse(String text) {
            int colon = text.indexOf(": ");
            int dash = text.indexOf(" - ");
            if (dash >= 0 && (colon < 0 || dash < colon)) {
                return new Line(text.substring(0, dash), List.of(), text.substring(dash + " - ".length()));
            }
            List<String> cases = Arrays.asList(text.substring(colon + 2).split(" "));
            return new Line(text.substring(0, colon), cases, "");
        }
    }

    /** All lines. */
    public static List<Line> lines() {
        try (InputStream text = PyverbsTable.class.getResourceAsStream(RESOURCE)) {
            if (text == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(Line::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cases that lines name and that there are not. */
    public static List<String> unknown(List<ConformanceCase> cases) {
        Set<String> families = cases.stream().map(ConformanceCase::family).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (Line line : lines()) {
            line.cases().stream()
                    .filter(test -> !families.contains(test))
                    .forEach(test -> unknown.add(line.test() + ": " + test));
        }
        return unknown;
    }

    /** The table for the document. */
    public static String section() {
        List<Line> lines = lines();
        long covered = lines.stream().filter(line -> !line.cases().isEmpty()).count();
        StringBuilder text = new StringBuilder("## The tests of pyverbs\n\n");
        text.append(
                "rdma-core tests its verbs with pyverbs. Of its tests and of the gaps that we found in them, %d lines have cases here and %d have a reason why not.\n\n"
                        .formatted(covered, lines.size() - covered));
        text.append("| pyverbs | cases here |\n| --- | --- |\n");
        for (Line line : lines) {
            String what = line.cases().isEmpty()
                    ? "none: " + line.reason()
                    : line.cases().stream().map(test -> "`" + test + "`").collect(Collectors.joining(", "));
            text.append("| ").append(line.test()).append(" | ").append(what).append(" |\n");
        }
        return text.toString();
    }
}
