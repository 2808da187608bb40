package dev.doorbell.quality.interop;

import java.io.PrintStream;
import java.util.regex.Pattern;

/** The rows of the matrix as they are printed: a line each, then the count. */
final class Rows {
    /** Something is wrong with everything: the rows that are left would take hours to say so. */
    private static final int ENOUGH = 10;

    private final PrintStream out;
    private final Pattern wanted;
    private final long start = System.nanoTime();
    private String part = "";
    private int passed;
    private int failed;
    private int skipped;
    private int left;

    /**
     * Prints to a stream.
     *
     * @param wanted what a row's title, with its part in front, has to contain in order to be played
     */
    Rows(PrintStream out, Pattern wanted) {
        this.out = out;
        this.wanted = wanted;
    }

    /** What a row does. */
    @FunctionalInterface
    interface Play {
        /** Fails by any exception. */
        void run() throws Exception;
    }

    /** Begins a part; its name stands in front of the titles that follow. */
    void part(String name) {
        part = name;
        out.printf("%n%s   (after %d s)%n", name, (System.nanoTime() - start) / 1_000_000_000);
    }

    /** Plays a row, if it is wanted. */
    void row(String title, Play play) {
        if (!wanted.matcher(part + ": " + title).find()) {
            return;
        }
        if (failed >= ENOUGH) {
            left++;
            return;
        }
        long begin = System.nanoTime();
        try {
            play.run();
            passed++;
            out.printf("  passed  %s (%d ms)%n", title, (System.nanoTime() - begin) / 1_000_000);
        } catch (Script.Lacking lacking) {
            skipped++;
            out.printf("  skipped %s: %s%n", title, lacking.getMessage());
        } catch (Exception | AssertionError e) {
            failed++;
            out.printf("  FAILED  %s%n", title);
            e.printStackTrace(out);
        }
    }

    /** Prints the count; whether all is well. */
    boolean end() {
        if (left > 0) {
            out.printf("%nafter %d failures, %d more rows were not played%n", failed, left);
        }
        out.printf("%n%d passed, %d failed, %d skipped%n", passed, failed, skipped);
        return failed == 0 && passed > 0;
    }
}
