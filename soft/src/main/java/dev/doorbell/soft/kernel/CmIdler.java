package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Progress;
import dev.doorbell.soft.hca.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for events of several devices: parked, and on standby for each of them that can wake a parked thread for its work, so that
 * a message costs one wake-up and not two. The others are driven by their own threads, or all by whoever runs all of them.
 */
final class CmIdler implements Idler, Progress {
    private final List<SoftDevice> devices;
    private final NanoClock clock;

    CmIdler(List<SoftDevice> devices, NanoClock clock) {
        this.devices = devices;
        this.clock = clock;
    }

    @Override
    public boolean poll() {
        boolean worked = false;
        for (SoftDevice device : devices) {
            worked |= device.progress().poll();
        }
        return worked;
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
    public void relinquish() {
        for (SoftDevice device : devices) {
            device.idler().relinquish();
        }
    }

    @Override
    public boolean idle(long deadlineNs) {
        if (!devices.isEmpty() && devices.getFirst().isConducted()) {
            return devices.getFirst().idler().idle(deadlineNs);
        }
        long now = clock.nanoTime();
        if (deadlineNs <= now) {
            return false;
        }
        List<Driving> served = standBy();
        if (deadlineNs == Long.MAX_VALUE) {
            LockSupport.park();
        } else {
            LockSupport.parkNanos(deadlineNs - now);
        }
        served.forEach(Driving::standDown);
        return true;
    }

    private List<Driving> standBy() {
        List<Driving> served = new ArrayList<>(devices.size());
        for (SoftDevice device : devices) {
            if (device.driving().standBy()) {
                served.add(device.driving());
            }
        }
        return served;
    }

    @Override
    public void beginLooking() {
        for (SoftDevice device : devices) {
            device.idler().beginLooking();
        }
    }

    @Override
    public void endLooking() {
        for (SoftDevice device : devices) {
            device.idler().endLooking();
        }
    }

    @Override
    public long spinNs() {
        return devices.isEmpty() ? 0 : devices.getFirst().idler().spinNs();
    }
}
