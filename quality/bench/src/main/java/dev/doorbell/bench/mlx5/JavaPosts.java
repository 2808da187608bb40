package dev.doorbell.bench.mlx5;

import dev.doorbell.bench.Affinity;
import dev.doorbell.bench.Figure;
import dev.doorbell.bench.Measurement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Nanoseconds of one work request of a {@link PostLoop}, in a thread of its own for all rounds. */
final class JavaPosts implements Measurement {
    private static final int ROUNDS_PER_CHUNK = 8;

    private final String name;
    private final PostLoop loop;
    private final int chunks;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("bench-posts").factory());

    JavaPosts(String name, Optional<Affinity> affinity, PostLoop loop, int chunks) {
        this.name = name;
        this.loop = loop;
        this.chunks = chunks;
        affinity.ifPresent(known -> thread.execute(() -> known.bind(0)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double round() {
        try {
            return CompletableFuture.supplyAsync(this::measure, thread).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the round failed", e.getCause());
        }
    }

    private double measure() {
        double[] times = new double[chunks];
        for (int chunk = 0; chunk < chunks; chunk++) {
            long start = System.nanoTime();
            for (int i = 0; i < ROUNDS_PER_CHUNK; i++) {
                long _ = loop.round();
            }
            times[chunk] = System.nanoTime() - start;
        }
        return Figure.median(times) / (ROUNDS_PER_CHUNK * PostLoop.DEPTH);
    }

    @Override
    public void close() {
        thread.close();
        loop.close();
    }
}
