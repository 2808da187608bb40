package dev.doorbell.soft.link;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.InterfaceChanges;
import dev.doorbell.linux.syscall.NativeAccess;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The addresses of this host, as the JDK reads them. Linux says when to look again; elsewhere they are looked at each second. */
final class SystemAddresses implements HostAddresses {
    static final SystemAddresses INSTANCE = new SystemAddresses();

    private static final long LOOK_EVERY_NS = 1_000_000_000;
    private static final System.Logger LOG = System.getLogger(SystemAddresses.class.getName());

    private SystemAddresses() {}

    @Override
    public @Nullable Place find(InetAddress address) {
        try {
            NetworkInterface found = LocalAddresses.interfaceWith(address);
            return found == null ? null : new Place(found.getName(), found.getIndex(), found.isUp(), found.getMTU());
        } catch (SocketException gone) {
            // Between two questions about it.
            return null;
        }
    }

    @Override
    public Watch watch(Runnable action) {
        if (System.getProperty("os.name", "").equals("Linux") && NativeAccess.isGranted()) {
            try {
                return new Listening(action);
            } catch (KernelException refused) {
                // A container may forbid it.
                return new Looking(action);
            }
        }
        return new Looking(action);
    }

    /** Runs the action in threads that last no longer; never twice at a time from here. */
    private abstract static class Running implements Watch {
        private final Runnable action;
        private final AtomicBoolean delayed = new AtomicBoolean();
        volatile boolean ended;

        Running(Runnable action) {
            this.action = action;
        }

        final void run() {
            try {
                if (!ended) {
                    action.run();
                }
            } catch (RuntimeException broken) {
                LOG.log(System.Logger.Level.WARNING, "a link could not follow the host's addresses", broken);
            }
        }

        @Override
        public final void runAgain() {
            if (delayed.compareAndSet(false, true)) {
                Thread.ofVirtual().name("doorbell-addresses").start(() -> {
                    LockSupport.parkNanos(LOOK_EVERY_NS);
                    delayed.set(false);
                    run();
                });
            }
        }

        @Override
        public void close() {
            ended = true;
        }
    }

    /** The system tells. */
    private static final class Listening extends Running {
        private final AtomicBoolean due = new AtomicBoolean();
        private final InterfaceChanges changes;

        Listening(Runnable action) {
            super(action);
            changes = InterfaceChanges.listen(this::told);
        }

        private void told() {
            if (due.compareAndSet(false, true)) {
                Thread.ofVirtual().name("doorbell-addresses").start(() -> {
                    due.set(false);
                    run();
                });
            }
        }

        @Override
        public void close() {
            super.close();
            changes.close();
        }
    }

    /** Nobody tells. */
    private static final class Looking extends Running {
        private final Thread thread;

        Looking(Runnable action) {
            super(action);
            thread = Thread.ofVirtual().name("doorbell-addresses").start(this::look);
        }

        private void look() {
            while (!ended) {
                LockSupport.parkNanos(LOOK_EVERY_NS);
                run();
            }
        }

        @Override
        public void close() {
            super.close();
            LockSupport.unpark(thread);
        }
    }
}
