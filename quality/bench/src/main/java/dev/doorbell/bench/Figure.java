package dev.doorbell.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a measurement gave, one value a round.
 *
 * @param name what was measured
 * @param rounds nanoseconds, or ratios; at least one
 */
public record Figure(String name, List<Double> rounds) {
    public Figure {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException(name + " was never measured");
        }
    }

    public double median() {
        return median(rounds.stream().mapToDouble(Double::doubleValue).toArray());
    }

    public double smallest() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double largest() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** This figure in units of another one, round by round: both took their rounds in turn. */
    public Figure over(Figure other) {
        return new Figure(
                name + " / " + other.name,
                IntStream.range(0, rounds.size())
                        .mapToObj(i -> rounds.get(i) / other.rounds.get(i))
                        .toList());
    }

    /** The middle value; of an even number, the upper one of the two in the middle. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
