package dev.doorbell.bench.cm;

import dev.doorbell.bench.Machine;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Measures how many connections a second are made and ended, and what an idle one takes: the tables of docs/perf/cm.md. */
final class CmBench {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final int AT_A_TIME = 32;

    private final Effort effort;

    private CmBench(Effort effort) {
        this.effort = effort;
    }

    /**
     * How much is done.
     *
     * @param connections connections a round
     * @param warmUps rounds that do not count
     * @param rounds rounds that do
     */
    record Effort(int connections, int warmUps, int rounds) {
        static final Effort FULL = new Effort(1000, 4, 11);
        static final Effort QUICK = new Effort(300, 3, 5);
    }

    static void main(String[] arguments) throws Exception {
        boolean quick = List.of(arguments).contains("--quick");
        if (arguments.length > (quick ? 1 : 0)) {
            OUT.println("bench: cm takes --quick and nothing else; quality/bench/run --help says more");
            System.exit(64);
        }
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        OUT.println("bench: " + Machine.describe());
        OUT.printf("bench: %d connections a round%n%n", effort.connections);
        CmBench bench = new CmBench(effort);
        bench.measure("in one process", local());
        OUT.println();
        bench.measure("between two processes", processes());
    }

    private static List<Scene> local() {
        return List.of(
                new LocalScene(Layer.TCP.label(), Layer.TCP, false, 1, new Addresses(10)),
                new LocalScene("in memory: " + Layer.COMMANDS.label(), Layer.COMMANDS, false, 1, new Addresses(11)),
                new LocalScene("in memory: " + Layer.LIBRARY.label(), Layer.LIBRARY, false, 1, new Addresses(12)),
                new LocalScene(
                        "the same, " + AT_A_TIME + " at a time, 4 accept",
                        Layer.LIBRARY,
                        false,
                        AT_A_TIME,
                        new Addresses(13)));
    }

    private static List<Scene> processes() {
        return List.of(
                new ProcessScene(Layer.TCP.label(), Layer.TCP, 1, new Addresses(14)),
                new ProcessScene("UDP: " + Layer.COMMANDS.label(), Layer.COMMANDS, 1, new Addresses(15)),
                new ProcessScene("UDP: " + Layer.LIBRARY.label(), Layer.LIBRARY, 1, new Addresses(16)),
                new ProcessScene(
                        "the same, " + AT_A_TIME + " at a time, 4 accept",
                        Layer.LIBRARY,
                        AT_A_TIME,
                        new Addresses(17)));
    }

    /** Lets all scenes play in turn. */
    private void measure(String title, List<Scene> scenes) throws Exception {
        try {
            for (int round = 0; round < effort.warmUps; round++) {
                for (Scene scene : scenes) {
                    scene.play(effort.connections);
                }
            }
            List<List<Round>> rounds =
                    scenes.stream().<List<Round>>map(scene -> new ArrayList<>()).toList();
            for (int round = 0; round < effort.rounds; round++) {
                for (int i = 0; i < scenes.size(); i++) {
                    rounds.get(i).add(scenes.get(i).play(effort.connections));
                }
            }
            List<CmTable.Row> rows = IntStream.range(0, scenes.size())
                    .mapToObj(i -> new CmTable.Row(scenes.get(i).name(), rounds.get(i)))
                    .toList();
            OUT.print(CmTable.of(title, rows));
        } finally {
            scenes.forEach(Scene::close);
        }
    }
}
