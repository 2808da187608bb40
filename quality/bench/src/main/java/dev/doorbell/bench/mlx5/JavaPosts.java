package dev.doorbell.bench.mlx5;

import dev.doorbell.bench.Duel;
import dev.doorbell.bench.Figure;
import dev.doorbell.bench.Measurement;

/** Nanoseconds of one work request of a {@link PostLoop}. */
record JavaPosts(String name, Duel duel, PostLoop loop, int chunks) implements Measurement {
    private static final int ROUNDS_PER_CHUNK = 8;

    @Override
    public double round() {
        return duel.alone(() -> {
            double[] times = new double[chunks];
            for (int chunk = 0; chunk < chunks; chunk++) {
                long start = System.nanoTime();
                for (int i = 0; i < ROUNDS_PER_CHUNK; i++) {
                    long _ = loop.round();
                }
                times[chunk] = System.nanoTime() - start;
            }
            return Figure.median(times) / (ROUNDS_PER_CHUNK * PostLoop.DEPTH);
        });
    }

    @Override
    public void close() {
        loop.close();
    }
}
