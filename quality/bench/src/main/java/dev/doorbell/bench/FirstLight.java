package dev.doorbell.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures Doorbell and the machine in turn, and prints the table of docs/perf/first-light.md. */
final class FirstLight {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private FirstLight() {}

    static void main(String[] arguments) {
        BenchOptions options;
        try {
            options = BenchOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            OUT.println("bench: " + e.getMessage());
            System.exit(64);
            return;
        }
        if (Runtime.getRuntime().availableProcessors() < 2) {
            OUT.println(
                    "bench: SKIPPED: needs two processors: two threads that wait for each other on one measure the scheduler");
            return;
        }
        run(options);
    }

    private static void run(BenchOptions options) {
        Optional<Affinity> affinity = options.pin() ? Affinity.ofThisProcess() : Optional.empty();
        Duel duel = new Duel(affinity);
        Optional<Path> program = CCompiler.compile("floor");
        if (program.isEmpty()) {
            OUT.println(
                    "bench: SKIPPED: no C compiler (cc, gcc or clang) on the PATH, so the figures in C are missing");
        }
        OUT.println(
                "bench: " + Machine.describe() + (affinity.isPresent() ? ", threads pinned" : ", threads not pinned"));
        List<Measurement> measurements = new ArrayList<>();
        measurements.add(new CacheLinePingPong(duel, options.chunks()));
        measurements.add(new SendPingPong(duel, options.chunks(), Player.Payload.INLINE));
        measurements.add(new SendPingPong(duel, options.chunks(), Player.Payload.ELEMENT));
        measurements.add(new SendReceive(duel, options.chunks() / 10));
        measurements.add(new WritePostPoll(duel, options.chunks() / 10, 1));
        measurements.add(new WritePostPoll(duel, options.chunks() / 10, 32));
        program.ifPresent(floor -> {
            measurements.add(new CFloor("the same in C", floor, "pingpong", options.chunks(), affinity));
            measurements.add(
                    new CFloor("post, execute and poll in C", floor, "write", options.chunks() / 10, affinity));
        });
        try {
            Interleaved interleaved = new Interleaved(measurements);
            interleaved.warmUp(options.warmUps());
            OUT.print(Table.of(interleaved.run(options.rounds())));
        } finally {
            measurements.forEach(Measurement::close);
        }
    }
}
