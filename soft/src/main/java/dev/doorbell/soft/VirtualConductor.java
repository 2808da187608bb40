package dev.doorbell.soft;

import dev.doorbell.soft.kernel.Conductor;
import dev.doorbell.soft.kernel.SoftDevice;
import java.util.List;

/**
 * Runs all devices of a network, and moves the clock to the next moment at which one of them has something to do. Part of
 * the data path, so it makes no iterators.
 */
final class VirtualConductor implements Conductor {
    /** Time passes even where a device is late for its own deadline, so that every wait ends. */
    private static final long LEAST_STEP_NS = 1000;

    private final List<SoftDevice> devices;
    private final VirtualTime time;

    VirtualConductor(List<SoftDevice> devices, VirtualTime time) {
        this.devices = devices;
        this.time = time;
    }

    @Override
    public boolean doWork() {
        boolean worked = false;
        for (int i = 0; i < devices.size(); i++) {
            worked |= devices.get(i).doWork();
        }
        return worked;
    }

    @Override
    public boolean advance(long deadlineNs) {
        long next = deadlineNs;
        for (int i = 0; i < devices.size(); i++) {
            next = Math.min(next, devices.get(i).nextDeadlineNs());
        }
        if (next == Long.MAX_VALUE) {
            return false;
        }
        time.advanceTo(Math.max(next, time.nanoTime() + LEAST_STEP_NS));
        return next < deadlineNs;
    }
}
