package dev.doorbell.quality.simulation;

import dev.doorbell.spec.Mtu;
import dev.doorbell.testkit.LinkModel;
import java.io.PrintStream;
import java.util.Locale;

/**
 * The command {@code quality/tests/soak-loss [PACKETS [LOSS [SEED]]]}: every operation in turn over a link that loses packets, until the
 * devices have sent so many; beside it the same without loss, for a tenth as long.
 */
public final class SoakLoss {
    private static final long DEFAULT_PACKETS = 10_000_000;
    private static final double DEFAULT_LOSS = 0.01;
    private static final int SIZE = 1 << 16;
    private static final int REFERENCE = 10;
    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;

    private SoakLoss() {}

    /** Runs it; the exit code is 1 if a byte or a completion was wrong. */
    public static void main(String[] arguments) {
        long packets = arguments.length > 0 ? Long.parseLong(arguments[0].replace("_", "")) : DEFAULT_PACKETS;
        double loss = arguments.length > 1 ? Double.parseDouble(arguments[1]) : DEFAULT_LOSS;
        long seed = arguments.length > 2 ? Long.decode(arguments[2]) : 1;
        soak(packets, loss, seed, System.out);
    }

    private static void soak(long packets, double loss, long seed, PrintStream out) {
        Outcome without = run(packets / REFERENCE, 0, seed, out);
        Outcome with = run(packets, loss, seed, out);
        out.printf(
                Locale.ROOT,
                "goodput with loss: %.1f%% of that without; request packets sent again: %.2f%% of all packets%n",
                with.bytesPerSecond() / without.bytesPerSecond() * PERCENT,
                (double) with.again() / with.packets() * PERCENT);
    }

    private static Outcome run(long packets, double loss, long seed, PrintStream out) {
        Scenario scenario = Scenario.stream(
                        Workload.MIXED, SIZE, Mtu.MTU_1024, loss, Long.MAX_VALUE, LinkModel.standard())
                .seed(seed);
        long start = System.nanoTime();
        try (Simulation simulation = new Simulation(scenario)) {
            Outcome outcome = simulation.run(packets);
            out.printf(
                    Locale.ROOT,
                    "loss %.2f%%, seed %d: %s, wall time %.1f s%n",
                    loss * PERCENT,
                    seed,
                    outcome,
                    (System.nanoTime() - start) / NANOS);
            return outcome;
        }
    }
}
