package dev.doorbell.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where identifiers are made and their events arrive (rdma_create_event_channel(3)). It belongs to one kernel: that of the
 * contexts it was opened with, or of {@link Device#preferred()}.
 *
 * <p>A program that serves thousands of connections has one channel, or one for each thread, and a loop:
 *
 * <pre>{@code
 * while (running) {
 *     channel.await(Duration.ofSeconds(1)).ifPresent(event -> {
 *         switch (event.type()) {
 *             case CONNECT_REQUEST -> accept(event.id());
 *             case DISCONNECTED -> event.id().close();
 *             ...
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>Thread rules: any method from any thread; each event goes to one of those who wait, in the kernel's order. A virtual thread
 * that waits does not hold its carrier.
 */
public final class EventChannel implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final System.Logger LOG = System.getLogger("dev.doorbell.leaks");

    /** Cookies are not used again, so that an event of something that is gone finds nothing. */
    private static final AtomicLong COOKIES = new AtomicLong();

    private final CmChannel channel;
    private final DeviceContexts contexts;
    private final CmCommands commands;
    private final Life life;
    private final Cleaner.Cleanable lost;
    private final Lost state;
    private final EventHandling handling = new EventHandling(this);
    private final Map<Long, CmId> ids = new ConcurrentHashMap<>();
    private final Map<Long, MulticastMembership> memberships = new ConcurrentHashMap<>();

    /** Held while an event is read and handled, so that events are handled in their order and none is lost in a migration. */
    private final ReentrantLock reading = new ReentrantLock();

    private EventChannel(CmChannel channel, DeviceContexts contexts) {
        this.channel = channel;
        this.contexts = contexts;
        String name = "CM event channel " + channel.description();
        this.life = new Life(name);
        this.commands = new CmCommands(channel, name);
        this.state = new Lost(channel, contexts, name);
        this.lost = CLEANER.register(this, state);
    }

    /** Frees what a program has lost without closing it. */
    private static final class Lost implements Runnable {
        private final CmChannel channel;
        private final DeviceContexts contexts;
        private final String name;
        private volatile boolean closed;

        Lost(CmChannel channel, DeviceContexts contexts, String name) {
            this.channel = channel;
            this.contexts = contexts;
            this.name = name;
        }

        @Override
        public void run() {
            if (!closed) {
                LOG.log(System.Logger.Level.WARNING, "{0} was never closed", name);
            }
            channel.close();
            contexts.release();
        }
    }

    /** Opens one on the kernel of {@link Device#preferred()}; devices are opened when they are needed. */
    public static EventChannel open() {
        return open(Device.preferred());
    }

    /**
     * Opens one on the kernel of this device, for all devices of that kernel.
     *
     * @throws CmException with the kernel's errno and the remedy: ENOENT without the module rdma_ucm, EACCES without the right
     */
    public static EventChannel open(Device device) {
        return open(kernel(device), List.of());
    }

    /**
     * Opens one on the kernel of these contexts. Identifiers use them for their devices, and they stay the program's to close,
     * after the channel.
     *
     * @param contexts of one kernel
     */
    public static EventChannel open(Context... contexts) {
        List<Kernel> kernels = List.of(contexts).stream()
                .map(context -> kernel(context.device()))
                .distinct()
                .toList();
        if (kernels.size() != 1) {
            throw new CmException(
                    "open",
                    "CM event channel",
                    Errno.EINVAL,
                    "its contexts are of " + kernels.size() + " kernels",
                    "Open a channel for each kernel",
                    null);
        }
        return open(kernels.getFirst(), List.of(contexts));
    }

    private static EventChannel open(Kernel kernel, List<Context> contexts) {
        try {
            return new EventChannel(
                    kernel.openConnectionManager(), new DeviceContexts(DeviceCatalog.current(), kernel, contexts));
        } catch (KernelException e) {
            throw Failures.failed("open", "CM event channel", e);
        }
    }

    private static Kernel kernel(Device device) {
        return DeviceCatalog.current().kernels().stream()
                .filter(kernel -> kernel.name().equals(device.kernel()))
                .findFirst()
                .orElseThrow(() -> new CmException(
                        "open",
                        "CM event channel",
                        Errno.ENODEV,
                        "the kernel of " + device + " is not known here",
                        "",
                        null));
    }

    /** Creates an identifier (rdma_create_id(3)) for the port space's own type of queue pair. */
    public CmId create(PortSpace space) {
        return create(space, space.defaultType());
    }

    /** Creates an identifier for a type of queue pair. */
    public CmId create(PortSpace space, QueuePairType type) {
        return life.call("CREATE_ID", () -> {
            long cookie = COOKIES.incrementAndGet();
            return add(new CmId(this, space, type, null, cookie, commands.createId(cookie, space, type)));
        });
    }

    /** The identifier of a request that has come. */
    CmId adopt(CmId listener, int number) {
        return add(new CmId(this, listener.portSpace(), listener.type(), listener, COOKIES.incrementAndGet(), number));
    }

    private CmId add(CmId id) {
        ids.put(id.cookie(), id);
        return id;
    }

    MulticastMembership join(CmId id, InetSocketAddress group, boolean sendOnly) {
        long cookie = COOKIES.incrementAndGet();
        // The event may come before the command returns.
        reading.lock();
        try {
            int number =
                    commands.joinMulticast(id, cookie, group, sendOnly ? CmIds.JOIN_SEND_ONLY : CmIds.JOIN_FULL_MEMBER);
            MulticastMembership membership = new MulticastMembership(id, group, cookie, number);
            memberships.put(cookie, membership);
            id.add(membership);
            return membership;
        } finally {
            reading.unlock();
        }
    }

    /** Takes an identifier over. No event of it is being handled meanwhile. */
    void take(CmId id, Collection<MulticastMembership> joined, EventChannel from) {
        if (!from.contexts.kernel().equals(contexts.kernel())) {
            throw new CmException(
                    "MIGRATE_ID", id.toString(), Errno.EINVAL, "that channel belongs to another kernel", "", null);
        }
        life.run("MIGRATE_ID", () -> {
            from.reading.lock();
            try {
                ids.put(id.cookie(), id);
                joined.forEach(membership -> memberships.put(membership.cookie(), membership));
                boolean moved = false;
                try {
                    commands.migrate(id, from.commands);
                    moved = true;
                } finally {
                    EventChannel without = moved ? from : this;
                    without.ids.remove(id.cookie());
                    joined.forEach(membership -> without.memberships.remove(membership.cookie()));
                }
            } finally {
                from.reading.unlock();
            }
        });
    }

    /**
     * The next event, if there is one now.
     *
     * @throws ClosedException after close
     */
    public Optional<CmEvent> poll() {
        life.require("poll");
        return Optional.ofNullable(next());
    }

    /**
     * Waits for the next event.
     *
     * <p>A thread that is interrupted stops waiting; its interrupt status stays set and nothing is closed. It looks once at
     * least.
     *
     * @return empty if the time was up or the thread was interrupted
     * @throws ClosedException if it is closed, also while waiting
     */
    public Optional<CmEvent> await(Duration timeout) {
        long patienceNs = Waits.nanos(timeout);
        long start = channel.progress().nanoTime();
        boolean inTime = true;
        try {
            while (true) {
                life.require("await");
                CmEvent event = next();
                if (event != null || !inTime || Thread.currentThread().isInterrupted()) {
                    return Optional.ofNullable(event);
                }
                inTime = awaitReadable(patienceNs - (channel.progress().nanoTime() - start));
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Waits until there may be an event, the time is up or the thread is unparked, and no more than that; false if the time was up. */
    boolean awaitReadable(long timeoutNs) {
        try {
            return channel.events().await(timeoutNs);
        } catch (KernelException e) {
            throw Failures.failed("wait for event", life.name(), e);
        }
    }

    /** The time by which waits on this channel are measured. */
    long nanoTime() {
        return channel.progress().nanoTime();
    }

    private @Nullable CmEvent next() {
        MemorySegment record = CmCommands.zeros(CmEventRecord.SIZE);
        reading.lock();
        try {
            while (channel.events().read(record, 0) > 0) {
                CmEvent event = handling.handle(record);
                if (event != null) {
                    return event;
                }
            }
            return null;
        } catch (KernelException e) {
            throw Failures.failed("read event", life.name(), e);
        } finally {
            reading.unlock();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Sets what is run when an event may have come: soon after each, once for several perhaps, and once now if there is one
     * already. It runs in a thread of the library, so it neither blocks nor calls back: it wakes a loop, which calls
     * {@link #poll()} until there is nothing more.
     *
     * @param action null to have nothing run any more
     */
    public void onReadable(@Nullable Runnable action) {
        life.run("watch", () -> {
            try {
                channel.events().onReadable(action);
            } catch (KernelException e) {
                throw Failures.failed("watch", life.name(), e);
            }
        });
    }

    /** Identifiers that are in it, newest first. */
    List<CmId> ids() {
        return ids.values().stream()
                .sorted(Comparator.comparingLong(CmId::cookie).reversed())
                .toList();
    }

    /** How many identifiers are in it. */
    public int size() {
        return ids.size();
    }

    @Nullable
    CmId id(long cookie) {
        return ids.get(cookie);
    }

    @Nullable
    MulticastMembership membership(long cookie) {
        return memberships.get(cookie);
    }

    void forget(CmId id) {
        ids.remove(id.cookie());
    }

    void forget(MulticastMembership membership) {
        memberships.remove(membership.cookie());
    }

    CmCommands commands() {
        return commands;
    }

    DeviceContexts contexts() {
        return contexts;
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return life.isOpen();
    }

    /**
     * Closes the identifiers that are in it, newest first, then the channel, then the devices that were opened for it. Who
     * waits gets a {@link ClosedException}. Idempotent.
     */
    @Override
    public void close() {
        life.close(() -> {
            try {
                ids().forEach(CmId::close);
            } finally {
                state.closed = true;
                lost.clean();
            }
        });
    }

    @Override
    public String toString() {
        return life.name();
    }
}
