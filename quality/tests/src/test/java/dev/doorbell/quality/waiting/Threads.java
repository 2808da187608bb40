package dev.doorbell.quality.waiting;

import java.util.Arrays;
import java.util.Map;

/** What threads are doing at the moment. */
final class Threads {
    private Threads() {}

    /** Returns when a thread is parked. */
    static void awaitWaiting(Thread thread) {
        while (!isWaiting(thread)) {
            Thread.onSpinWait();
        }
    }

    /** Returns when so many platform threads are parked below a method of a class of the API. */
    static void awaitWaiting(int count, String type) {
        while (Thread.getAllStackTraces().entrySet().stream()
                        .filter(entry -> isWaiting(entry, type))
                        .count()
                < count) {
            Thread.yield();
        }
    }

    /** Returns when a platform thread is inside a method of a class. */
    static void awaitInside(String type) {
        while (Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .noneMatch(frame -> frame.getClassName().equals(type))) {
            Thread.yield();
        }
    }

    private static boolean isWaiting(Map.Entry<Thread, StackTraceElement[]> entry, String type) {
        return isWaiting(entry.getKey())
                && Arrays.stream(entry.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("dev.doorbell.verbs." + type));
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
        };
    }
}
