package dev.doorbell.quality.interop;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Plays one half of a bout in step with the other JVM: after each step both say how it went, and both stop if one failed. */
final class Script {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String FINE = "fine ";
    private static final String LACK = "lack ";

    private final Line line;

    Script(Line line) {
        this.line = line;
    }

    /** One of the devices does not have what the bout needs. */
    static final class Lacking extends Exception {
        private static final long serialVersionUID = 1;

        Lacking(String message) {
            super(message);
        }
    }

    /**
     * Plays it.
     *
     * @throws AssertionError with what went wrong, on either side
     */
    void play(Desk desk, Bout bout, boolean requester, KnownBytes known) throws Lacking {
        Half[] half = new Half[1];
        try {
            String theirs = step(() -> {
                half[0] = new Half(desk, bout, requester, known);
                String lack = half[0].lack();
                return lack == null ? FINE + half[0].introduction() : LACK + lack;
            });
            step(() -> {
                half[0].connect(theirs);
                return FINE;
            });
            step(() -> {
                half[0].play(theirs);
                return FINE;
            });
            step(() -> {
                half[0].checkMemory();
                return FINE;
            });
        } finally {
            if (half[0] != null) {
                half[0].close();
            }
        }
    }

    private String step(Callable<String> body) throws Lacking {
        String mine;
        try {
            mine = body.call();
        } catch (Exception | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            mine = trace.toString();
        }
        line.say(mine);
        String theirs = line.hear(PATIENCE);
        for (String outcome : new String[] {mine, theirs}) {
            if (outcome.startsWith(LACK)) {
                throw new Lacking(outcome.substring(LACK.length()));
            }
        }
        if (!mine.startsWith(FINE) || !theirs.startsWith(FINE)) {
            throw new AssertionError("this side: " + mine + "\nthe other side: " + theirs);
        }
        return theirs.substring(FINE.length());
    }
}
