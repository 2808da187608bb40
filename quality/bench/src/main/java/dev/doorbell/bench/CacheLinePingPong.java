package dev.doorbell.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Two threads and two cache lines, one for each way: a thread stores a number into its own line and waits until the
 * other one has stored the same number into its line. No hand-over between two cores is cheaper.
 */
final class CacheLinePingPong implements Measurement {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final long THERE = 0;
    private static final long BACK = 512;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment lines = arena.allocate(1024, 1024);
    private final Duel duel;
    private final int chunks;

    private long done;

    CacheLinePingPong(Duel duel, int chunks) {
        this.duel = duel;
        this.chunks = chunks;
    }

    @Override
    public String name() {
        return "cache-line ping-pong, round trip";
    }

    @Override
    public double round() {
        long first = done;
        done += (long) chunks * PingPong.TRIPS_PER_CHUNK;
        return duel.run(() -> measure(first), () -> answer(first));
    }

    private double measure(long first) {
        long trip = first;
        double[] times = new double[chunks];
        Patience patience = new Patience();
        for (int chunk = 0; chunk < chunks; chunk++) {
            long start = System.nanoTime();
            trips(trip, THERE, BACK, patience);
            times[chunk] = System.nanoTime() - start;
            trip += PingPong.TRIPS_PER_CHUNK;
        }
        return Figure.median(times) / PingPong.TRIPS_PER_CHUNK;
    }

    private void trips(long first, long own, long others, Patience patience) {
        for (long trip = first + 1; trip <= first + PingPong.TRIPS_PER_CHUNK; trip++) {
            LONG.setRelease(lines, own, trip);
            await(others, trip, patience);
        }
    }

    private void answer(long first) {
        Patience patience = new Patience();
        long trip = first;
        for (int chunk = 0; chunk < chunks; chunk++) {
            answers(trip, patience);
            trip += PingPong.TRIPS_PER_CHUNK;
        }
    }

    private void answers(long first, Patience patience) {
        for (long trip = first + 1; trip <= first + PingPong.TRIPS_PER_CHUNK; trip++) {
            await(THERE, trip, patience);
            LONG.setRelease(lines, BACK, trip);
        }
    }

    private void await(long line, long trip, Patience patience) {
        for (int spins = 1; (long) LONG.getAcquire(lines, line) != trip; spins++) {
            patience.check(spins);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
