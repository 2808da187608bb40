package dev.doorbell.conformance.report;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.Outcome;
import java.io.PrintStream;

/**
 * What a run prints: while it goes on, each case that failed, or every case; and at its end, alone on a line for scripts,
 * {@code N passed, N failed, N skipped}, where a declared difference counts as passed.
 */
public final class SuiteLog {
    private final PrintStream out;
    private final boolean everyCase;

    /**
     * @param everyCase whether cases that did not fail are printed too
     */
    public SuiteLog(PrintStream out, boolean everyCase) {
        this.out = out;
        this.everyCase = everyCase;
    }

    /** Prints what became of a case, if it is to be printed. */
    public void print(CaseResult result) {
        if (result.outcome() == Outcome.FAIL) {
            out.println("  FAILED  " + result.test() + ": " + result.reason());
            Throwable failure = result.failure();
            if (everyCase && failure != null && !result.reason().startsWith("not done in")) {
                failure.printStackTrace(out);
            }
        } else if (everyCase) {
            out.printf(
                    "  %-10s %s (%d ms) %s%n",
                    result.outcome(), result.test(), result.duration().toMillis(), result.reason());
        }
        out.flush();
    }

    /** Prints the counts. */
    public void print(Column column) {
        out.println(counts(column));
    }

    /** The counts as they are printed. */
    static String counts(Column column) {
        return "%d passed, %d failed, %d skipped"
                .formatted(
                        column.count(Outcome.PASS) + column.count(Outcome.DIFFERENCE),
                        column.count(Outcome.FAIL),
                        column.count(Outcome.SKIP));
    }
}
