package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.AsyncEventType;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a device and its port work, and who is told when that changes: the asynchronous events of every context.
 *
 * <p>A device that failed does nothing more and refuses all commands with EIO, but for those that take things away.
 *
 * <p>Thread rules: any thread.
 */
final class DeviceHealth {
    private static final Set<UverbsCommand> STILL_WORK = EnumSet.of(
            UverbsCommand.GET_CONTEXT,
            UverbsCommand.DEALLOC_PD,
            UverbsCommand.DEREG_MR,
            UverbsCommand.DEALLOC_MW,
            UverbsCommand.DESTROY_AH,
            UverbsCommand.DESTROY_CQ,
            UverbsCommand.DESTROY_QP,
            UverbsCommand.DESTROY_SRQ,
            UverbsCommand.DETACH_MCAST);

    private final EventSource device = new EventSource(0);
    private final EventSource port = new EventSource(SoftDevice.PORT);
    private final Set<EventQueue> contexts = ConcurrentHashMap.newKeySet();
    private volatile boolean failed;
    private volatile boolean portDown;

    /** A context was opened: its file of asynchronous events. */
    void add(EventQueue context) {
        contexts.add(context);
    }

    void remove(EventQueue context) {
        contexts.remove(context);
    }

    /** The device fails. Idempotent. */
    synchronized void fail() {
        if (!failed) {
            failed = true;
            tell(device, AsyncEventType.DEVICE_FATAL);
        }
    }

    boolean hasFailed() {
        return failed;
    }

    /** The port's link is up or down. Whether that is news. */
    synchronized boolean port(boolean up) {
        boolean changed = portDown == up;
        if (changed) {
            portDown = !up;
            tell(port, up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR);
        }
        return changed;
    }

    boolean isPortUp() {
        return !portDown && !failed;
    }

    /** Something else happened to the port. */
    void port(AsyncEventType event) {
        tell(port, event);
    }

    /** Whether a command is refused, because the device failed. */
    boolean refuses(UverbsCommand command) {
        return failed && !STILL_WORK.contains(command);
    }

    private void tell(EventSource source, AsyncEventType type) {
        Event event = new Event(source, type.code());
        contexts.forEach(context -> context.raise(event));
    }

    /** Work that ends when the device fails. */
    Work guard(Work work) {
        return new Work() {
            @Override
            public boolean isReachable() {
                return work.isReachable();
            }

            @Override
            public boolean hasWork() {
                return !failed && work.hasWork();
            }

            @Override
            public boolean hasWork(long nowNs) {
                return !failed && work.hasWork(nowNs);
            }

            @Override
            public boolean doWork(long nowNs) {
                return run(nowNs, false);
            }

            @Override
            public boolean poll(long nowNs) {
                return run(nowNs, true);
            }

            private boolean run(long nowNs, boolean polling) {
                try {
                    return !failed && (polling ? work.poll(nowNs) : work.doWork(nowNs));
                } catch (RuntimeException | Error broken) {
                    // A mistake of this stack or of a link: whoever waits for this device must not wait for ever.
                    fail();
                    throw broken;
                }
            }

            @Override
            public long nextDeadlineNs() {
                return failed ? Long.MAX_VALUE : work.nextDeadlineNs();
            }
        };
    }
}
