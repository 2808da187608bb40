package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.NanoClock;

/** No thread: who polls or waits runs all devices of the network, and the time with them. */
final class ConductedDriving implements Driving {
    private final NanoClock clock;
    private final Conductor conductor;

    ConductedDriving(NanoClock clock, Conductor conductor) {
        this.clock = clock;
        this.conductor = conductor;
    }

    @Override
    public boolean poll() {
        return conductor.doWork();
    }

    @Override
    public long nowNs() {
        return clock.nanoTime();
    }

    @Override
    public void relinquish() {}

    @Override
    public boolean idle(long deadlineNs) {
        return conductor.doWork() || conductor.advance(deadlineNs);
    }

    @Override
    public void start() {}

    @Override
    public void posted() {}

    @Override
    public void arrived() {}

    @Override
    public void rescheduled() {}

    @Override
    public void close() {}
}
