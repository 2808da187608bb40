package dev.doorbell.bench.cm;

import dev.doorbell.bench.Machine;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures how many connections a second are made and ended, and what an idle one takes, and prints the table of
 * docs/perf/cm.md. Two devices of one process; both sides' programs and both devices share the processors.
 */
final class CmBench {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final int ROUNDS = 5;
    private static final int CONNECTIONS = 2000;
    private static final int QUICK = 200;

    private CmBench() {}

    static void main(String[] arguments) throws Exception {
        boolean quick = List.of(arguments).contains("--quick");
        if (arguments.length > (quick ? 1 : 0)) {
            OUT.println("bench: cm takes --quick and nothing else");
            System.exit(64);
        }
        int count = quick ? QUICK : CONNECTIONS;
        OUT.println(Machine.describe());
        OUT.printf("%d connections a round, median of %d rounds (least to most)%n%n", count, ROUNDS);
        OUT.println("| | set-up a second | set-up and tear-down a second | bytes an idle connection |");
        OUT.println("| --- | ---: | ---: | ---: |");
        for (CmScene.Network network : CmScene.Network.values()) {
            for (CmScene.Layer layer : CmScene.Layer.values()) {
                print(network, layer, count);
            }
        }
    }

    private static void print(CmScene.Network network, CmScene.Layer layer, int count) throws Exception {
        List<CmScene.Round> rounds = new ArrayList<>();
        try (CmScene scene = CmScene.open(network, layer)) {
            scene.play(count);
            for (int round = 0; round < ROUNDS; round++) {
                rounds.add(scene.play(count));
            }
        }
        double[] setUp = rounds.stream().mapToDouble(CmScene.Round::setUpRate).sorted().toArray();
        double[] whole = rounds.stream().mapToDouble(CmScene.Round::wholeRate).sorted().toArray();
        double[] bytes = rounds.stream().mapToDouble(CmScene.Round::idleBytes).sorted().toArray();
        OUT.printf(
                "| %s, %s | %s | %s | %.0f |%n",
                network.label(), layer.label(), text(setUp), text(whole), bytes[ROUNDS / 2]);
    }

    private static String text(double[] sorted) {
        return "%.0f (%.0f to %.0f)".formatted(
                sorted[sorted.length / 2],
                sorted[0],
                Arrays.stream(sorted).max().orElse(0));
    }
}
