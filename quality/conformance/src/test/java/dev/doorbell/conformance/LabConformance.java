package dev.doorbell.conformance;

import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.fabric.LinuxFabric;
import dev.doorbell.conformance.report.Column;
import dev.doorbell.conformance.report.SuiteLog;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Runs the suite on {@code rxe0} of a guest of the kernel lab: a line a case that did not simply pass, then
 * {@code N passed, N failed, N skipped}, where a declared difference counts as passed. A guest is slow, so this does without
 * JUnit.
 *
 * <p>What comes out must be what is checked in: anything else is a failure, unless it is to be written. A case that failed after
 * it had waited long is run once more at the end, with more patience: whoever emulates a machine may have been busy.
 *
 * <p>With the property {@code doorbell.conformance.library} the device is driven through the system's libibverbs.
 *
 * <p>Arguments: the kernel's release; a regular expression for a part of the names of the cases to run, if not all are.
 */
final class LabConformance {
    private static final String DEVICE = "rxe0";
    private static final long SEED = 20_260_101;

    /** Emulated, on a machine that others use as well. */
    private static final int PATIENCE = 6;

    private static final int MORE_PATIENCE = 18;

    private final PrintStream out;
    private final String release;
    private final Map<String, CaseResult> results = new LinkedHashMap<>();

    private LabConformance(PrintStream out, String release) {
        this.out = out;
        this.release = release;
    }

    public static void main(String[] arguments) {
        Pattern only = Pattern.compile(arguments.length > 1 ? arguments[1] : "");
        List<ConformanceCase> cases = AllCases.list().stream()
                .filter(test -> only.matcher(test.name()).find())
                .toList();
        boolean all = only.pattern().isEmpty();
        System.exit(new LabConformance(System.out, arguments[0]).run(cases, all) ? 0 : 1);
    }

    private boolean run(List<ConformanceCase> cases, boolean all) {
        LinuxFabric fabric = fabric(PATIENCE);
        run(fabric, cases);
        List<ConformanceCase> late = results.values().stream()
                .filter(LabConformance::hasWaited)
                .map(CaseResult::test)
                .toList();
        if (!late.isEmpty()) {
            out.println("once more, with more patience: " + late);
            run(fabric(MORE_PATIENCE), late);
        }
        return report(Column.of(fabric.name(), fabric.title(), results.values()), all);
    }

    private LinuxFabric fabric(int patience) {
        LinuxFabric direct = LinuxFabric.of(DEVICE, release, patience);
        return Boolean.getBoolean("doorbell.conformance.library") ? direct.byLibrary() : direct;
    }

    private void run(Fabric fabric, List<ConformanceCase> cases) {
        new Suite(fabric, SEED)
                .run(cases, new SuiteLog(out, true)::print)
                .forEach(result -> results.put(result.test().name(), result));
    }

    /** Waits give up when half of the time that was left is over. */
    private static boolean hasWaited(CaseResult result) {
        return result.outcome() == Outcome.FAIL
                && result.duration()
                                .compareTo(result.test()
                                        .deadline()
                                        .multipliedBy(PATIENCE)
                                        .dividedBy(2))
                        >= 0;
    }

    private boolean report(Column column, boolean all) {
        long unlike = 0;
        if (Results.areToBeWritten()) {
            Results.write(all ? column : merged(column));
        } else {
            List<String> lines = column.unlike(checkedIn(column), all);
            lines.forEach(line -> out.println("  UNLIKE  " + line));
            // What failed is counted already.
            unlike = lines.stream()
                    .filter(line -> !line.contains(": " + Outcome.FAIL))
                    .count();
        }
        long failed = column.count(Outcome.FAIL) + unlike;
        out.printf(
                "%d passed, %d failed, %d skipped%n",
                column.count(Outcome.PASS) + column.count(Outcome.DIFFERENCE), failed, column.count(Outcome.SKIP));
        return failed == 0;
    }

    private static Column checkedIn(Column column) {
        return Column.parse(column.name(), Results.checkedIn(column.name()));
    }

    /** What is checked in, with the cases that were run now in the place of what became of them before. */
    private static Column merged(Column part) {
        Map<String, Column.Entry> entries = new TreeMap<>(checkedIn(part).entries());
        entries.putAll(part.entries());
        return new Column(part.name(), part.title(), entries);
    }
}
