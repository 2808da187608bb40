package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.NanoClock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The work of a device and, behind it, of what manages its connections. */
final class ManagedWork implements Work {
    private final Work device;
    private final NanoClock clock;
    private final Supplier<@Nullable CmPort> manager;

    ManagedWork(Work device, NanoClock clock, Supplier<@Nullable CmPort> manager) {
        this.device = device;
        this.clock = clock;
        this.manager = manager;
    }

    @Override
    public boolean isReachable() {
        return device.isReachable();
    }

    /** Asks for the time only while a connection waits for something: this runs with every look at a queue. */
    @Override
    public boolean hasWork() {
        if (device.hasWork()) {
            return true;
        }
        CmPort port = manager.get();
        return port != null
                && (port.hasMessages()
                        || (port.nextDeadlineNs() != Long.MAX_VALUE && port.nextDeadlineNs() <= clock.nanoTime()));
    }

    @Override
    public boolean hasWork(long nowNs) {
        if (device.hasWork(nowNs)) {
            return true;
        }
        CmPort port = manager.get();
        return port != null && port.isDue(nowNs);
    }

    @Override
    public boolean doWork(long nowNs) {
        boolean worked = device.doWork(nowNs);
        return manage(nowNs) || worked;
    }

    @Override
    public boolean poll(long nowNs) {
        boolean worked = device.poll(nowNs);
        return manage(nowNs) || worked;
    }

    private boolean manage(long nowNs) {
        CmPort port = manager.get();
        return port != null && port.doWork(nowNs);
    }

    @Override
    public long nextDeadlineNs() {
        CmPort port = manager.get();
        long own = device.nextDeadlineNs();
        return port == null ? own : Math.min(own, port.nextDeadlineNs());
    }
}
