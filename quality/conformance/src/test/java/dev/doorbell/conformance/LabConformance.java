package dev.doorbell.conformance;

import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.fabric.LinuxFabric;
import dev.doorbell.conformance.report.Column;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Runs the suite on {@code rxe0} of a guest of the kernel lab: a line a case that did not simply pass, then
 * {@code N passed, N failed, N skipped}, where a declared difference counts as passed. A guest is slow, so this does without
 * JUnit.
 *
 * <p>Arguments: the kernel's release; a regular expression for a part of the names of the cases to run, if not all are.
 */
final class LabConformance {
    private static final String DEVICE = "rxe0";
    private static final long SEED = 20_260_101;

    /** Emulated, on a machine that others use as well. */
    private static final int PATIENCE = 6;

    private LabConformance() {}

    public static void main(String[] arguments) {
        PrintStream out = System.out;
        Pattern only = Pattern.compile(arguments.length > 1 ? arguments[1] : "");
        LinuxFabric fabric = LinuxFabric.of(DEVICE, arguments[0], PATIENCE);
        List<ConformanceCase> cases = AllCases.list().stream()
                .filter(test -> only.matcher(test.name()).find())
                .toList();
        List<CaseResult> results = new Suite(fabric, SEED).run(cases, result -> print(out, result));
        Column column = Column.of(fabric.name(), fabric.title(), results);
        out.printf(
                "%d passed, %d failed, %d skipped%n",
                column.count(Outcome.PASS) + column.count(Outcome.DIFFERENCE),
                column.count(Outcome.FAIL),
                column.count(Outcome.SKIP));
        if (Results.areToBeWritten()) {
            Results.write(only.pattern().isEmpty() ? column : merged(column));
        }
        System.exit(column.count(Outcome.FAIL) == 0 ? 0 : 1);
    }

    /** What is checked in, with the cases that were run now in the place of what became of them before. */
    private static Column merged(Column part) {
        Map<String, Column.Entry> entries = new TreeMap<>(
                Column.parse(part.name(), Results.checkedIn(part.name())).entries());
        entries.putAll(part.entries());
        return new Column(part.name(), part.title(), entries);
    }

    private static void print(PrintStream out, CaseResult result) {
        if (result.outcome() == Outcome.FAIL) {
            out.println("  FAILED  " + result.test() + ": " + result.reason());
            Throwable failure = result.failure();
            if (failure != null && !result.reason().startsWith("not done in")) {
                failure.printStackTrace(out);
            }
        } else {
            out.printf(
                    "  %-10s %s (%d ms) %s%n",
                    result.outcome(), result.test(), result.duration().toMillis(), result.reason());
        }
    }
}
