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

    @Override
    public boolean hasWork() {
        if (device.hasWork()) {
            return true;
        }
        CmPort port = manager.get();
        return port != null && (port.hasMessages() || isExpired(port));
    }

    private boolean isExpired(CmPort port) {
        long deadlineNs = port.nextDeadlineNs();
        return deadlineNs != Long.MAX_VALUE && deadlineNs <= clock.nanoTime();
    }

    @Override
    public boolean doWork(long nowNs) {
        boolean worked = device.doWork(nowNs);
        CmPort port = manager.get();
        return (port != null && port.doWork(nowNs)) || worked;
    }

    @Override
    public long nextDeadlineNs() {
        CmPort port = manager.get();
        long own = device.nextDeadlineNs();
        return port == null ? own : Math.min(own, port.nextDeadlineNs());
    }
}
