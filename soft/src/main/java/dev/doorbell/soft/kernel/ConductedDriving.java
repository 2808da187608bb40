package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.NanoClock;

/**
 * No thread: who polls or waits runs all devices of the network. A wait moves the time on, and so does a program that
 * keeps polling in vain, since it waits too; a look or two does not.
 */
final class ConductedDriving implements Driving {
    private static final int PATIENCE = 32;

    private final NanoClock clock;
    private final Conductor conductor;
    private int vain;

    ConductedDriving(NanoClock clock, Conductor conductor) {
        this.clock = clock;
        this.conductor = conductor;
    }

    @Override
    public boolean poll() {
        if (conductor.doWork()) {
            vain = 0;
            return true;
        }
        if (++vain < PATIENCE) {
            return false;
        }
        vain = 0;
        return conductor.advance(Long.MAX_VALUE) && conductor.doWork();
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
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
    public void posted() {
        vain = 0;
    }

    @Override
    public void arrived() {}

    @Override
    public void rescheduled() {}

    /** Never: time stands still until somebody waits. */
    @Override
    public long spinNs() {
        return 0;
    }

    @Override
    public void beginLooking() {}

    @Override
    public void endLooking() {}

    @Override
    public boolean standBy() {
        return false;
    }

    @Override
    public void standDown() {}

    @Override
    public void close() {}
}
