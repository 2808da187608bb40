package dev.doorbell.bench;

/**
 * What {@code quality/bench/run} was asked for.
 *
 * @param rounds rounds of each measurement that count
 * @param warmUps rounds before them that do not
 * @param chunks looks at the clock in a round
 * @param pin whether each thread gets a processor of its own
 */
public record BenchOptions(int rounds, int warmUps, int chunks, boolean pin) {
    private static final int MOST_ROUNDS = 10_000;

    /** Throws {@link IllegalArgumentException} with a message for the user. */
    public static BenchOptions parse(String... arguments) {
        BenchOptions options = new BenchOptions(21, 5, 1000, true);
        for (int i = 0; i < arguments.length; i++) {
            options = switch (arguments[i]) {
                case "--quick" -> new BenchOptions(7, 4, 300, options.pin);
                case "--no-pin" -> new BenchOptions(options.rounds, options.warmUps, options.chunks, false);
                case "--rounds" -> {
                    int rounds = number(i + 1 < arguments.length ? arguments[i + 1] : "");
                    i++;
                    yield new BenchOptions(rounds, options.warmUps, options.chunks, options.pin);
                }
                default ->
                    throw new IllegalArgumentException(
                            "unknown option " + arguments[i] + "; quality/bench/run --help lists them");
            };
        }
        return options;
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= MOST_ROUNDS) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--rounds needs a number, not \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("--rounds takes 1 to " + MOST_ROUNDS + ", not " + text);
    }
}
