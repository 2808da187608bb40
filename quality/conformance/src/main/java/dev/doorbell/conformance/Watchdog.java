package dev.doorbell.conformance;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/** What is said of a case that does not end. */
final class Watchdog {
    private Watchdog() {}

    /** A failure with the stacks of the case's thread and of all others that are in the project's code. */
    static AssertionError late(Thread thread, Duration deadline) {
        StringBuilder text = new StringBuilder("not done in " + deadline);
        describe(text, thread, thread.getStackTrace());
        Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey() != thread && isOurs(entry.getValue()))
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .forEach(entry -> describe(text, entry));
        return new AssertionError(text.toString());
    }

    private static boolean isOurs(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith("dev.doorbell."));
    }

    private static void describe(StringBuilder text, Map.Entry<Thread, StackTraceElement[]> entry) {
        describe(text, entry.getKey(), entry.getValue());
    }

    private static void describe(StringBuilder text, Thread thread, StackTraceElement[] stack) {
        text.append("\n  ")
                .append(thread.getName())
                .append(" (")
                .append(thread.getState())
                .append(')');
        for (StackTraceElement frame : stack) {
            text.append("\n    at ").append(frame);
        }
    }
}
