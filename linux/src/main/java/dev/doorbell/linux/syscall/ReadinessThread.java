package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of the process that waits for descriptors, so that nobody else needs to block in a system call: not a
 * virtual thread, which would hold its carrier, and not a platform thread, which could not be interrupted.
 *
 * <p>It begins with the first descriptor that is watched and ends with the last. Descriptors are watched for edges
 * ({@code EPOLLET}): each arrival is told once, and nothing has to be armed again.
 *
 * <p>Thread rules: any thread may watch and forget.
 */
public final class ReadinessThread {
    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int IN = 1;
    private static final int EDGE_TRIGGERED = 1 << 31;
    private static final int BATCH = 64;
    private static final long STOP = 0;
    private static final System.Logger LOG = System.getLogger(ReadinessThread.class.getName());

    /** Bytes of a struct {@code epoll_event} (u32 events, u64 data): packed on this one architecture. */
    private static final int EVENT_SIZE = "amd64".equals(System.getProperty("os.arch")) ? 12 : 16;

    private static final int DATA_AT = EVENT_SIZE - Long.BYTES;

    // Guarded by the class.
    private static @Nullable ReadinessThread running;
    private static long lastKey = STOP;

    private final SystemFile epoll;
    private final SystemFile stop;
    private final Map<Long, Runnable> actions = new ConcurrentHashMap<>();

    private ReadinessThread(SystemFile epoll, SystemFile stop) {
        this.epoll = epoll;
        this.stop = stop;
    }

    private static ReadinessThread start() {
        SystemFile epoll = new SystemFile(require(Libc.epollCreate(), "epoll_create1"));
        boolean started = false;
        try {
            SystemFile stop = new SystemFile(require(Libc.eventCounter(), "eventfd"));
            try {
                ReadinessThread thread = new ReadinessThread(epoll, stop);
                thread.add(stop.fd(), STOP);
                Thread.ofPlatform().daemon().name("doorbell-events").start(thread::run);
                started = true;
                return thread;
            } finally {
                if (!started) {
                    stop.close();
                }
            }
        } finally {
            if (!started) {
                epoll.close();
            }
        }
    }

    /** A descriptor that is watched. */
    public static final class Watch {
        private final ReadinessThread thread;
        private final long key;
        private final int fd;

        private Watch(ReadinessThread thread, long key, int fd) {
            this.thread = thread;
            this.key = key;
            this.fd = fd;
        }

        /** Ends it, once, before the descriptor is closed. A call of the action may still be under way. */
        public void end() {
            ReadinessThread.end(this);
        }
    }

    /**
     * Watches a descriptor.
     *
     * @param action run by the one thread soon after something has come, and now if something is there already; it must not
     *     block
     * @throws KernelException EMFILE or ENOMEM if there is nothing to watch with
     */
    public static synchronized Watch watch(int fd, Runnable action) {
        ReadinessThread thread = running;
        if (thread == null) {
            thread = start();
            running = thread;
        }
        long key = ++lastKey;
        thread.actions.put(key, action);
        boolean added = false;
        try {
            thread.add(fd, key);
            added = true;
            return new Watch(thread, key, fd);
        } finally {
            if (!added) {
                thread.actions.remove(key);
                thread.stopIfIdle();
            }
        }
    }

    private static synchronized void end(Watch watch) {
        ReadinessThread thread = watch.thread;
        if (thread.actions.remove(watch.key) != null) {
            control(thread.epoll.fd(), CTL_DEL, watch.fd, watch.key);
            thread.stopIfIdle();
        }
    }

    private void stopIfIdle() {
        if (!actions.isEmpty()) {
            return;
        }
        running = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(Long.BYTES, Long.BYTES);
            Host.setLong(one, 0, 1);
            stop.write(0, one.address(), Long.BYTES);
        }
    }

    private void add(int fd, long key) {
        require(control(epoll.fd(), CTL_ADD, fd, key), "epoll_ctl");
    }

    private static int control(int epoll, int operation, int fd, long key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EVENT_SIZE, Long.BYTES);
            Host.setInt(event, 0, IN | EDGE_TRIGGERED);
            Host.setLong(event, DATA_AT, key);
            return Libc.epollControl(epoll, operation, fd, event.address());
        }
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment events = arena.allocate((long) BATCH * EVENT_SIZE, Long.BYTES);
            boolean going = true;
            while (going) {
                int count = Libc.epollWait(epoll.fd(), events.address(), BATCH);
                going = count >= 0 && dispatch(events, count);
            }
        } finally {
            forget(this);
            epoll.close();
            stop.close();
        }
    }

    /** Whoever watches next gets another thread. */
    private static synchronized void forget(ReadinessThread ended) {
        if (running == ended) {
            running = null;
        }
    }

    /** Tells who waits; false if this was the last time. */
    private boolean dispatch(MemorySegment events, int count) {
        boolean going = true;
        for (int i = 0; i < count; i++) {
            long key = Host.getLong(events, (long) i * EVENT_SIZE + DATA_AT);
            Runnable action = actions.get(key);
            if (key == STOP) {
                going = false;
            } else if (action != null) {
                tell(action);
            }
        }
        return going;
    }

    /** Whatever one listener does, the others are told. */
    private static void tell(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error broken) {
            LOG.log(System.Logger.Level.ERROR, "a listener for a descriptor failed", broken);
        }
    }

    private static int require(int result, String call) {
        if (result < 0) {
            throw new KernelException(-result, call + ": nothing to wait for events with (ulimit -n)");
        }
        return result;
    }
}
