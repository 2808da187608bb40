package dev.doorbell.bench.mlx5;

import dev.doorbell.bench.Affinity;
import dev.doorbell.bench.BenchOptions;
import dev.doorbell.bench.CCompiler;
import dev.doorbell.bench.CFloor;
import dev.doorbell.bench.Interleaved;
import dev.doorbell.bench.Machine;
import dev.doorbell.bench.Measurement;
import dev.doorbell.bench.Table;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Posts through the mlx5 driver and through the C driver in turn, and prints the tables of docs/perf/mlx5.md. */
final class Mlx5Bench {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");
    private static final int SKIPPED = 77;
    private static final int WRONG_USE = 64;

    private Mlx5Bench() {}

    static void main(String[] arguments) {
        BenchOptions options;
        try {
            options = BenchOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            OUT.println("bench: " + e.getMessage());
            System.exit(WRONG_USE);
            return;
        }
        Optional<Path> program =
                Files.exists(HEADER) ? CCompiler.compileWith("mlx5", "mlx5_kernel", "ibverbs") : Optional.empty();
        if (program.isEmpty()) {
            OUT.println("bench: SKIPPED: needs a C compiler, libibverbs-dev and ibverbs-providers (libmlx5)");
            System.exit(SKIPPED);
            return;
        }
        Optional<Affinity> affinity = options.pin() ? Affinity.ofThisProcess() : Optional.empty();
        OUT.println(
                "bench: " + Machine.describe() + (affinity.isPresent() ? ", thread pinned" : ", thread not pinned"));
        Comparison comparison = new Comparison(program.orElseThrow(), affinity, options);
        comparison.print("inline", "WRITE of 64 bytes inline");
        comparison.print("element", "WRITE of 64 bytes in an element");
    }

    private record Comparison(Path program, Optional<Affinity> affinity, BenchOptions options) {
        void print(String shape, String name) {
            OUT.println();
            OUT.println(name + ", as it comes");
            OUT.print(measure(shape, false));
            OUT.println();
            OUT.println(name + ", one thread at a time was promised (MLX5_SINGLE_THREADED=1, singleThreaded())");
            OUT.print(measure(shape, true));
        }

        private String measure(String shape, boolean isSingle) {
            String threads = isSingle ? "-single" : "-shared";
            List<Measurement> measurements = new ArrayList<>();
            int chunks = options.chunks();
            measurements.add(new CFloor("C: ibv_post_send", program, shape + "-post" + threads, chunks, affinity));
            measurements.add(
                    new CFloor("C: ibv_wr_start..complete", program, shape + "-wr" + threads, chunks, affinity));
            boolean isInline = shape.equals("inline");
            measurements.add(new JavaPosts(
                    isInline ? "Doorbell: postWriteInline" : "Doorbell: postWrite",
                    affinity,
                    new PostLoop(isInline, false, isSingle),
                    chunks));
            measurements.add(new JavaPosts(
                    "Doorbell: a batch of one", affinity, new PostLoop(isInline, true, isSingle), chunks));
            try {
                Interleaved interleaved = new Interleaved(measurements);
                interleaved.warmUp(options.warmUps());
                return Table.of(interleaved.run(options.rounds()));
            } finally {
                measurements.forEach(Measurement::close);
            }
        }
    }
}
