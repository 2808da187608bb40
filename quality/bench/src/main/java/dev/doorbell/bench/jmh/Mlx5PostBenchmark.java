package dev.doorbell.bench.jmh;

import dev.doorbell.bench.mlx5.PostLoop;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * WRITEs of 64 bytes through the mlx5 driver, on registers that are ordinary memory: nanoseconds of one, with a part in 256 of a completion.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Mlx5PostBenchmark {
    /** Where the bytes are. */
    @Param({"inline", "element"})
    public String bytes = "inline";

    /** One call, or a batch of one. */
    @Param({"call", "batch"})
    public String by = "call";

    /** Whether the queues have locks. */
    @Param({"shared", "single"})
    public String threads = "shared";

    private @Nullable PostLoop loop;

    /** Opens the device. */
    @Setup
    public void open() {
        loop = new PostLoop(bytes.equals("inline"), by.equals("batch"), threads.equals("single"));
    }

    /** Closes it. */
    @TearDown
    public void close() {
        Objects.requireNonNull(loop).close();
    }

    /** Fills the send queue, a doorbell each, and empties it. */
    @Benchmark
    @OperationsPerInvocation(PostLoop.DEPTH)
    public long post() {
        return Objects.requireNonNull(loop).round();
    }
}
