package dev.doorbell.conformance;

import dev.doorbell.conformance.bench.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs cases on a fabric, one after the other, each in a thread of its own that a deadline ends. */
public final class Suite {
    private final Fabric fabric;
    private final long seed;

    /**
     * @param seed what the cases draw follows from it and from their names
     */
    public Suite(Fabric fabric, long seed) {
        this.fabric = fabric;
        this.seed = seed;
    }

    /** Runs them all; each result is also told at once. */
    public List<CaseResult> run(List<ConformanceCase> cases, Consumer<CaseResult> listener) {
        List<CaseResult> results = new ArrayList<>();
        for (ConformanceCase test : cases) {
            CaseResult result = run(test);
            listener.accept(result);
            results.add(result);
        }
        return results;
    }

    /** Runs one. */
    public CaseResult run(ConformanceCase test) {
        Optional<String> lack = lack(test);
        if (lack.isPresent()) {
            return new CaseResult(test, Outcome.SKIP, lack.get(), 0, Duration.ZERO, null);
        }
        return new CaseRun(fabric, test, seed).run();
    }

    private Optional<String> lack(ConformanceCase test) {
        return test.needs().stream()
                .sorted()
                .filter(fabric.lacks()::containsKey)
                .map(capability -> capability + ": " + fabric.lacks().get(capability))
                .findFirst();
    }

    /** The seed of a case. */
    static long seed(long seed, ConformanceCase test) {
        return seed * 31 + test.name().hashCode();
    }

    /** One case on its way. */
    private static final class CaseRun {
        /** How long a thread that was told to stop may take to do so. */
        private static final Duration GRACE = Duration.ofSeconds(2);

        private final Fabric fabric;
        private final ConformanceCase test;
        private final Duration deadline;
        private final long seed;
        private final long startNs = System.nanoTime();
        private volatile @Nullable Throwable failure;
        private volatile @Nullable Bench bench;

        CaseRun(Fabric fabric, ConformanceCase test, long seed) {
            this.fabric = fabric;
            this.test = test;
            this.deadline = test.deadline().multipliedBy(fabric.patience());
            this.seed = Suite.seed(seed, test);
        }

        CaseResult run() {
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("case " + test.name() + " on " + fabric.name())
                    .start(this::body);
            if (!joined(thread, deadline)) {
                AssertionError late = Watchdog.late(thread, deadline);
                thread.interrupt();
                joined(thread, GRACE);
                return result(Outcome.FAIL, String.valueOf(late.getMessage()), late);
            }
            Throwable thrown = failure;
            if (thrown != null) {
                return result(Outcome.FAIL, thrown.toString(), thrown);
            }
            Bench used = bench;
            List<String> differences = used == null ? List.of() : used.check().differences();
            return differences.isEmpty()
                    ? result(Outcome.PASS, "", null)
                    : result(Outcome.DIFFERENCE, String.join("; ", differences), null);
        }

        private CaseResult result(Outcome outcome, String reason, @Nullable Throwable thrown) {
            Bench used = bench;
            int assertions = used == null ? 0 : used.check().assertions();
            return new CaseResult(
                    test, outcome, reason, assertions, Duration.ofNanos(System.nanoTime() - startNs), thrown);
        }

        private void body() {
            try (Fabric.Session session = fabric.join();
                    Bench mine = new Bench(fabric, session, seed, startNs + deadline.toNanos())) {
                bench = mine;
                test.body().run(mine);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        private static boolean joined(Thread thread, Duration time) {
            try {
                return thread.join(time);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
