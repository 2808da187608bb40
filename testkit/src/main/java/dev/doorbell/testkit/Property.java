package dev.doorbell.testkit;

/**
 * Something that must hold whatever is drawn.
 *
 * <pre>{@code
 * Property.named("a ring keeps its order").check(draw -> {
 *     int depth = draw.intIn(1, 64);
 *     ...
 * });
 * }</pre>
 *
 * <p>Runs are the same every time: the seeds follow from the property's name. A failure names its seed; the system
 * property {@value #SEED} then repeats that run alone.
 */
public final class Property {
    /** System property: the seed of the only run. */
    public static final String SEED = "doorbell.seed";

    private static final int DEFAULT_RUNS = 100;

    private final String name;
    private final int runs;

    private Property(String name, int runs) {
        this.name = name;
        this.runs = runs;
    }

    /** A property with this name, for 100 runs. */
    public static Property named(String name) {
        return new Property(name, DEFAULT_RUNS);
    }

    /** The same for another number of runs. */
    public Property runs(int value) {
        return new Property(name, value);
    }

    /**
     * Checks the property with each seed in turn.
     *
     * @throws AssertionError at the first failure, with the seed and what was drawn; the failure is its cause
     */
    public void check(Check check) {
        Long only = Long.getLong(SEED);
        if (only != null) {
            run(check, only, 1, 1);
            return;
        }
        for (int run = 1; run <= runs; run++) {
            run(check, mix(name.hashCode() * 31L + run), run, runs);
        }
    }

    private void run(Check check, long seed, int run, int of) {
        Draw draw = new Draw(seed);
        try {
            check.run(draw);
        } catch (Exception | AssertionError failure) {
            throw new AssertionError(
                    "'%s' does not hold (run %d of %d; repeat it with -D%s=%d)%ndrawn from %s%n%s"
                            .formatted(name, run, of, SEED, seed, draw, failure),
                    failure);
        }
    }

    /** Spreads neighbouring numbers, so that neighbouring runs have nothing in common. */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /** What must hold. */
    @FunctionalInterface
    public interface Check {
        /** Draws and asserts; any exception is a failure. */
        void run(Draw draw) throws Exception;
    }
}
