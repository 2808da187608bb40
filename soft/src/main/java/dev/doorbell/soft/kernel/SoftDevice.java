package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.Progress;
import dev.doorbell.soft.hca.Hca;
import dev.doorbell.soft.hca.HcaLimits;
import dev.doorbell.soft.hca.HcaListener;
import dev.doorbell.soft.hca.HcaQueuePair;
import dev.doorbell.soft.hca.Mlx5Posting;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A device of the embedded kernel. To programs it is an rxe device, or an mlx5 one ({@link Personality}), with one port, RoCEv2.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class SoftDevice implements KernelDevice, AutoCloseable {
    static final int PORTS = 1;
    static final int PORT = 1;

    private static final int CORE_ABI = 6;
    private static final int FULL_MEMBER_PKEY = 0xffff;

    private record Subscriber(EventSource source, EventQueue file) {}

    private final SoftDeviceSetup setup;
    private final Quotas quotas;
    private final Hca hca;
    private final DeviceHealth health = new DeviceHealth();
    private final @Nullable PostedWork posted;
    private final Work work;
    private final Driving driving;
    private final RandomGenerator random;
    private final Map<HcaQueuePair, Subscriber> subscribers = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();
    /** Held while the link is attached or detached: by the first context, and after the last. */
    private final ReentrantLock attaching = new ReentrantLock();

    /** Contexts that keep the link attached; guarded by {@link #attaching}. */
    private int attached;

    /** Where the device is, with all addresses that it may have. Written under {@link #attaching}. */
    private volatile Placement placement;

    /** The GID table: of these, the ones that it has at present. Written under {@link #attaching}. */
    private volatile List<GidEntry> gidTable;

    private volatile @Nullable CmPort manager;
    private volatile boolean closed;

    /** A device that nobody has opened yet. */
    public SoftDevice(SoftDeviceSetup setup) {
        this.setup = setup;
        this.quotas = new Quotas(setup.limits());
        this.random = setup.random();
        PacketLink link = setup.link();
        this.placement = setup.placement();
        this.gidTable = placement.gids();
        HcaLimits limits = new HcaLimits(
                setup.limits().queuePairs(),
                setup.limits().regions(),
                setup.limits().sge(),
                HcaLimits.DEFAULT.maxReadAtomic(),
                HcaLimits.DEFAULT.maxMessageBytes(),
                HcaLimits.DEFAULT.activeMtu(),
                setup.limits().addressHandles(),
                HcaLimits.DEFAULT.maxMulticastGroups(),
                HcaLimits.DEFAULT.maxMulticastMembers());
        this.hca = new Hca(limits, setup.clock(), random, link, gids(placement), new Listener());
        Conductor conductor = setup.conductor();
        Work engine = Work.of(hca);
        this.posted = setup.personality() == Personality.MLX5
                ? new PostedWork(engine, setup.clock(), conductor == null)
                : null;
        this.work = health.guard(new ManagedWork(posted == null ? engine : posted, setup.clock(), () -> manager));
        this.driving = conductor == null
                ? new LeasedDriving(work, setup.clock(), setup.name(), link != null, link == null ? null : link.watch())
                : new ConductedDriving(setup.clock(), conductor);
        if (link != null) {
            link.onArrival(driving::arrived);
            link.onStateChange(() -> follow(link));
            health.port(link.isUp());
        }
    }

    /** Hands what the device reports to whoever must know; called in the middle of the device's work. */
    private final class Listener implements HcaListener {
        @Override
        public void queuePairEvent(HcaQueuePair queuePair, AsyncEventType event) {
            Subscriber subscriber = subscribers.get(queuePair);
            if (subscriber != null) {
                subscriber.file.raise(new Event(subscriber.source, event.code()));
            }
        }

        @Override
        public void workScheduled() {
            driving.rescheduled();
        }
    }

    void subscribe(HcaQueuePair queuePair, EventSource source, EventQueue file) {
        subscribers.put(queuePair, new Subscriber(source, file));
    }

    void unsubscribe(HcaQueuePair queuePair) {
        subscribers.remove(queuePair);
    }

    @Override
    public String name() {
        return setup.name();
    }

    @Override
    public Guid nodeGuid() {
        return placement.guid();
    }

    @Override
    public int ports() {
        return PORTS;
    }

    @Override
    public int driverId() {
        return setup.personality().driverId();
    }

    @Override
    public int driverAbi() {
        return setup.personality().driverAbi();
    }

    @Override
    public int coreAbi() {
        return CORE_ABI;
    }

    /** None: it is on no bus. */
    @Override
    public String modalias() {
        return "";
    }

    @Override
    public String node() {
        return "embedded:" + name();
    }

    @Override
    public Optional<String> obstacle() {
        if (closed) {
            return Optional.of("the device was removed");
        }
        return health.hasFailed() ? Optional.of("the device failed (DEVICE_FATAL)") : Optional.empty();
    }

    @Override
    public List<GidEntry> gids(int port) {
        return port == PORT ? gidTable : List.of();
    }

    @Override
    public int pkey(int port, int index) {
        return port == PORT && index == 0 ? FULL_MEMBER_PKEY : 0;
    }

    @Override
    public Map<String, Long> counters(int port) {
        return port == PORT ? counters() : Map.of();
    }

    @Override
    public Map<String, String> properties() {
        PacketLink link = setup.link();
        return Map.of("link", link == null ? "local only: no network link, reaches itself" : link.state());
    }

    @Override
    public CommandChannel open() {
        if (closed) {
            throw new KernelException(Errno.ENODEV, name() + " was removed");
        }
        if (health.hasFailed()) {
            throw new KernelException(Errno.EIO, name() + " failed (DEVICE_FATAL)");
        }
        driving.start();
        attach();
        quotas.contexts.take();
        String description = "embedded context " + opened.incrementAndGet() + " of " + name();
        return new SoftContext(this, description, random);
    }

    /** A context comes: the first one has the link attached, and the device is where the link is. */
    private void attach() {
        PacketLink link = setup.link();
        attaching.lock();
        try {
            if (attached == 0 && link != null) {
                link.attach().ifPresent(addresses -> placement = Placement.at(addresses, setup.netDevice()));
                look(link);
                health.port(link.isUp());
            }
            // Only now: where attaching failed, the next who opens the device tries again.
            attached++;
        } finally {
            attaching.unlock();
        }
    }

    /** The link tells that it goes up or down, or that addresses come or go. */
    private void follow(PacketLink link) {
        attaching.lock();
        try {
            if (look(link)) {
                health.port(AsyncEventType.GID_CHANGE);
            }
            boolean up = link.isUp();
            if (health.port(up) && !up) {
                hca.countLinkDown();
            }
        } finally {
            attaching.unlock();
        }
    }

    /** Takes over which addresses the link has, and its MTU; whether the GID table has changed. */
    private boolean look(PacketLink link) {
        List<GidEntry> before = gidTable;
        List<GidEntry> all = placement.gids();
        List<GidEntry> now = new ArrayList<>();
        List<Gid> slots = new ArrayList<>();
        for (GidEntry entry : all) {
            boolean present = placement.isMadeUp(entry.gid()) || link.has(entry.gid());
            slots.add(present ? entry.gid() : Gid.ZERO);
            if (present) {
                now.add(entry);
            }
        }
        gidTable = List.copyOf(now);
        hca.move(slots, link.activeMtu());
        return !now.equals(before);
    }

    /** A context goes. */
    void contextClosed() {
        quotas.contexts.give();
        release();
    }

    /**
     * Keeps the link attached, as a context does, for the connection manager.
     *
     * @throws KernelException if the device cannot be used
     */
    void hold() {
        if (closed || health.hasFailed()) {
            throw new KernelException(Errno.ENODEV, name() + " is gone");
        }
        driving.start();
        attach();
    }

    /** Whoever held the link does not need it any more. */
    void release() {
        PacketLink link = setup.link();
        attaching.lock();
        try {
            if (--attached == 0 && link != null) {
                link.detach();
            }
        } finally {
            attaching.unlock();
        }
    }

    /** Whether somebody uses the device, so that it is where it says. */
    boolean isAttached() {
        attaching.lock();
        try {
            return attached > 0;
        } finally {
            attaching.unlock();
        }
    }

    /** Connects the device with the connection manager of its kernel; once. */
    void manage(CmPort port) {
        manager = port;
    }

    /** The own address from which packets to another one go; null if there is no way. */
    @Nullable
    Gid route(Gid destination, int scope) {
        PacketLink link = setup.link();
        return link == null ? null : link.route(destination, scope);
    }

    /** The first address of a family; null if there is none. The link-local one that every device has is not meant. */
    @Nullable
    Gid address(boolean ipv6) {
        for (GidEntry entry : gidTable) {
            if (entry.index() > 0 && entry.gid().isIpv4Mapped() != ipv6) {
                return entry.gid();
            }
        }
        return null;
    }

    private static List<Gid> gids(Placement place) {
        return place.gids().stream().map(GidEntry::gid).toList();
    }

    /** What is alive on the device at the moment. */
    public Census census() {
        return quotas.census();
    }

    /** The device's counters by rxe's names, and dropped packets by reason. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>(hca.counters());
        PacketLink link = setup.link();
        if (link != null) {
            link.counters().forEach((name, count) -> counters.merge(name, count, Long::sum));
        }
        return counters;
    }

    /** Does what the device can do now. Returns whether anything was done. */
    public boolean doWork() {
        return work.doWork(setup.clock().nanoTime());
    }

    /** When {@link #doWork} must be called even if nothing arrives; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        return work.nextDeadlineNs();
    }

    /**
     * Lets the device fail, as hardware may: every context gets DEVICE_FATAL, nothing is executed any more, and posting and
     * commands answer EIO, but for those that destroy. Idempotent.
     */
    public void fail() {
        health.fail();
    }

    /** Raises an event of the device's port, such as GID_CHANGE, in every context. */
    public void raisePortEvent(AsyncEventType event) {
        if (!event.isPortEvent()) {
            throw new IllegalArgumentException(event + " does not happen to a port");
        }
        health.port(event);
    }

    /** Removes the device: it leaves its link and ends its thread. Its contexts should be closed before. Idempotent. */
    @Override
    public void close() {
        closed = true;
        driving.close();
        hca.close();
        PacketLink link = setup.link();
        if (link != null) {
            link.close();
        }
    }

    Personality personality() {
        return setup.personality();
    }

    /** From now on somebody looks whether something was posted to a queue pair of the mlx5 kind. */
    Mlx5Posting watch(HcaQueuePair queuePair) {
        Mlx5Posting posting = new Mlx5Posting(queuePair);
        if (posted != null) {
            posted.watch(posting);
            driving.rescheduled();
        }
        return posting;
    }

    /** What was posted before a command comes before it, as doorbells do that are seen. */
    void catchUp() {
        if (posted != null && !health.hasFailed()) {
            posted.carryOut();
        }
    }

    void forget(@Nullable Mlx5Posting posting) {
        if (posted != null && posting != null) {
            posted.forget(posting);
        }
    }

    int ring(HcaQueuePair queuePair) {
        if (health.hasFailed()) {
            return Errno.EIO;
        }
        int refusal = queuePair.ring();
        driving.posted();
        return refusal;
    }

    Progress progress() {
        return driving;
    }

    Driving driving() {
        return driving;
    }

    /** Whether the device has no thread of its own. */
    boolean isConducted() {
        return setup.conductor() != null;
    }

    Idler idler() {
        return driving;
    }

    Hca hca() {
        return hca;
    }

    DeviceHealth health() {
        return health;
    }

    Quotas quotas() {
        return quotas;
    }

    SoftLimits limits() {
        return setup.limits();
    }

    /** The GID in a slot of the table; empty if the slot is. */
    Optional<Gid> gid(int index) {
        return gidTable.stream()
                .filter(entry -> entry.index() == index)
                .map(GidEntry::gid)
                .findFirst();
    }

    int completionVectors() {
        return setup.completionVectors();
    }
}
