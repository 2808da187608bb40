package dev.doorbell.quality.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Runs threads at the same time, with a deadline that also a thread which spins for ever cannot outlast. */
public final class Workers {
    private Workers() {}

    /** A piece of work. */
    @FunctionalInterface
    public interface Work {
        /** Does it; any exception fails the test. */
        void run() throws Exception;
    }

    /**
     * Runs each piece in a thread of its own; they start together.
     *
     * @throws AssertionError if one fails, with the failure as its cause, or if one is not done in time, with the stack
     *     of each thread that is not
     */
    public static void run(Duration deadline, Work... works) {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        CyclicBarrier start = new CyclicBarrier(works.length);
        List<Thread> threads = new ArrayList<>();
        for (Work work : works) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("worker-" + threads.size())
                    .start(() -> run(start, work, failures)));
        }
        long end = System.nanoTime() + deadline.toNanos();
        List<String> late = new ArrayList<>();
        for (Thread thread : threads) {
            if (!joined(thread, end - System.nanoTime())) {
                late.add(thread.getName() + " at " + List.of(thread.getStackTrace()));
            }
        }
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("a worker failed: " + failures.getFirst(), failures.getFirst());
            failures.stream().skip(1).forEach(error::addSuppressed);
            throw error;
        }
        if (!late.isEmpty()) {
            throw new AssertionError("not done in " + deadline + ": " + String.join("; ", late));
        }
    }

    /** As {@link #run}, for one piece of work with a result. */
    public static <T> T call(Duration deadline, Callable<T> work) {
        List<T> result = new CopyOnWriteArrayList<>();
        run(deadline, () -> result.add(work.call()));
        return result.getFirst();
    }

    private static void run(CyclicBarrier start, Work work, List<Throwable> failures) {
        try {
            start.await(10, TimeUnit.SECONDS);
            work.run();
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    private static boolean joined(Thread thread, long ns) {
        try {
            return thread.join(Duration.ofNanos(Math.max(ns, 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
