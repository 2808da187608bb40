package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A software HCA: one device.
 *
 * <p>Thread rules: any thread may call any method. Control methods (create, register, modify, destroy) may allocate and
 * wait for the data path to let go; {@link #doWork}, {@link #hasWork} and {@link HcaQueuePair#ring} belong to the data
 * path and do neither.
 */
public final class Hca implements AutoCloseable {
    /** Numbers 0 and 1 belong to management. */
    private static final int FIRST_NUMBER = 2;

    private final HcaLimits limits;
    private final NanoClock clock;
    private final @Nullable PacketLink link;
    private final @Nullable PacketReceiver receiver;
    private volatile List<Gid> gids;
    private volatile Mtu activeMtu;
    private final HcaListener listener;
    private final MemoryRegions regions;
    private final MemoryWindows windows;
    private final NumberTable<HcaQueuePair> queuePairs;
    private final NumberTable<HcaAddressHandle> addressHandles;
    private final MulticastGroups groups;
    private final GeneralServices generalServices;

    /** Device time counts from here, so that it is never negative. */
    private final long originNs;

    /** No later than the first deadline of all timers, in device time. */
    private final AtomicLong earliestNs = new AtomicLong(RetryTimer.NEVER);

    /** Counts of queue pairs that are gone. */
    private final Counters retired = new Counters();

    /**
     * A device without objects.
     *
     * @param random from which keys and numbers are drawn
     * @param link the way to other devices, or null for a device that only reaches itself
     * @param gids the GID table; queue pairs that name one of these as their destination exchange by copying
     */
    public Hca(
            HcaLimits limits,
            NanoClock clock,
            RandomGenerator random,
            @Nullable PacketLink link,
            List<Gid> gids,
            HcaListener listener) {
        this.limits = limits;
        this.clock = clock;
        this.link = link;
        this.receiver = link == null ? null : new PacketReceiver(this, link);
        this.gids = List.copyOf(gids);
        this.activeMtu = limits.activeMtu();
        this.listener = listener;
        this.originNs = clock.nanoTime();
        this.regions = new MemoryRegions(random, limits.maxMemoryRegions(), this::quiesce);
        this.windows = new MemoryWindows(random, limits.maxMemoryRegions());
        this.queuePairs = new NumberTable<>(random, FIRST_NUMBER, limits.maxQueuePairs());
        this.addressHandles = new NumberTable<>(random, FIRST_NUMBER, limits.maxAddressHandles());
        this.groups = new MulticastGroups(link, limits);
        this.generalServices = new GeneralServices(this, link);
    }

    /** What this device can do. */
    public HcaLimits limits() {
        return limits;
    }

    /**
     * Gives the device other addresses. Connected queue pairs keep theirs: they get nowhere while it is not there, and go on
     * when it is back.
     *
     * @param table the GID table; {@link Gid#ZERO} is a slot that is empty
     * @param mtu the largest path MTU that the port carries from now on
     */
    public void move(List<Gid> table, Mtu mtu) {
        gids = List.copyOf(table);
        activeMtu = mtu.min(limits.activeMtu());
        generalServices.restart();
    }

    /** Queue pair number 1. */
    public GeneralServices generalServices() {
        return generalServices;
    }

    /** The link went down: for the counter of that name. */
    public void countLinkDown() {
        synchronized (retired) {
            retired.add(Counter.LINK_DOWNED);
        }
    }

    /** The largest path MTU that the port carries at present. */
    public Mtu activeMtu() {
        return activeMtu;
    }

    /**
     * Registers memory.
     *
     * @param memory native memory of a shared, automatic or global arena; its first {@code length} bytes are covered
     * @param iova the address that the first byte gets in work requests
     * @param access {@code AccessFlag} bits
     * @return the region, or null if there are too many (ENOMEM)
     * @throws IllegalArgumentException if the memory is shorter than {@code length} or not native
     */
    public @Nullable HcaMemoryRegion registerMemory(
            HcaProtectionDomain domain, MemorySegment memory, long iova, long length, int access) {
        if (length < 0 || length > memory.byteSize() || !memory.isNative()) {
            throw new IllegalArgumentException(
                    length + " bytes cannot be registered in a segment of " + memory.byteSize());
        }
        return regions.register(domain, new MemoryRegions.Range(memory, iova, length), access);
    }

    /**
     * Allocates a memory window, which opens nothing until it is bound.
     *
     * @param type {@link HcaMemoryWindow#TYPE_1} or {@link HcaMemoryWindow#TYPE_2}
     * @return the window, or null if there are too many (ENOMEM)
     */
    public @Nullable HcaMemoryWindow allocateWindow(HcaProtectionDomain domain, int type) {
        return windows.allocate(domain, type);
    }

    /**
     * Creates a completion queue over a ring of which the device is the producer.
     *
     * @param capacity completions that it may hold; at most the ring's capacity
     */
    public RingCompletionQueue createCompletionQueue(SharedRing ring, int capacity, CompletionListener listener) {
        return createCompletionQueue(ring, capacity, listener, false, false);
    }

    /**
     * Creates a completion queue over a ring of which the device is the producer.
     *
     * @param timestamps whether its completions say when they were made, behind the completion in the ring element
     * @param ignoresOverrun whether a completion that does not fit is lost without an error
     */
    public RingCompletionQueue createCompletionQueue(
            SharedRing ring, int capacity, CompletionListener listener, boolean timestamps, boolean ignoresOverrun) {
        return new RingCompletionQueue(
                ring, capacity, listener, new RingCompletionQueue.Options(timestamps ? this : null, ignoresOverrun));
    }

    /** Creates a completion queue as mlx5 has them, in memory of the program; its completions say when they were made. */
    public Mlx5CompletionQueue createMlx5CompletionQueue(
            Mlx5CompletionQueue.Place place, CompletionListener listener, boolean ignoresOverrun) {
        return new Mlx5CompletionQueue(this, place, listener, ignoresOverrun);
    }

    /** Creates a shared receive queue as mlx5 has them, in memory of the program. */
    public Mlx5SharedReceiveQueue createMlx5SharedReceiveQueue(
            QueuePairRequest.Mlx5Queue queue, int limit, SharedReceiveListener listener) {
        return new Mlx5SharedReceiveQueue(queue, limit, listener);
    }

    /** The device's clock, which stamps completions: nanoseconds since it was made. */
    public long clockNs() {
        return nowNs();
    }

    /**
     * Creates a shared receive queue over a ring of which the program is the producer.
     *
     * @param maxSge most scatter/gather elements of a work request
     * @param limit the limit that is armed; 0 for none
     */
    public RingSharedReceiveQueue createSharedReceiveQueue(
            SharedRing ring, int maxSge, int limit, SharedReceiveListener listener) {
        return new RingSharedReceiveQueue(ring, maxSge, limit, listener);
    }

    /** Creates a queue pair in state RESET; null if there are too many (ENOMEM). */
    public @Nullable HcaQueuePair createQueuePair(QueuePairRequest request) {
        return queuePairs.add(number -> new HcaQueuePair(this, number, request));
    }

    /**
     * Creates an address handle.
     *
     * @param sourceIndex slot of the GID table whose address datagrams carry as their source
     * @param destination where they go: a port, or a multicast group
     * @return the handle, or null if there are too many (ENOMEM)
     * @throws IndexOutOfBoundsException if there is no such slot
     */
    public @Nullable HcaAddressHandle createAddressHandle(
            HcaProtectionDomain domain, int sourceIndex, Gid destination) {
        return createAddressHandle(domain, sourceIndex, destination, IpFields.USUAL);
    }

    /**
     * Creates an address handle.
     *
     * @param sourceIndex slot of the GID table whose address datagrams carry as their source
     * @param destination where they go: a port, or a multicast group
     * @param fields what their IP header says, see {@link IpFields#toSend}
     * @return the handle, or null if there are too many (ENOMEM)
     * @throws IndexOutOfBoundsException if there is no such slot
     */
    public @Nullable HcaAddressHandle createAddressHandle(
            HcaProtectionDomain domain, int sourceIndex, Gid destination, long fields) {
        Gid source = gids.get(sourceIndex);
        return addressHandles.add(number -> new HcaAddressHandle(this, number, domain, source, destination, fields));
    }

    /** The {@link IpFields} of the packet that is being handed on; for whoever it is handed to. */
    long arrivingFields() {
        PacketReceiver packets = receiver;
        return packets == null ? IpFields.USUAL : packets.fields();
    }

    /** Whether packets may come from elsewhere. Reads only. */
    public boolean isReachable() {
        PacketLink packets = link;
        return packets != null && packets.isUsed();
    }

    /** Whether {@link #doWork} would find anything at this time. Reads only, and nothing that a busy device writes often. */
    public boolean hasWork() {
        return hasPackets() || isExpired();
    }

    /** As {@link #hasWork()} at a time that the caller knows. */
    public boolean hasWork(long now) {
        return hasPackets() || nextDeadlineNs() <= now;
    }

    private boolean hasPackets() {
        PacketReceiver packets = receiver;
        return packets != null && packets.hasWork();
    }

    /**
     * Does what can be done now: takes packets, lets timers expire, resumes what had to wait.
     *
     * @param now the present time of the device's clock, in nanoseconds
     * @return whether anything was done
     */
    public boolean doWork(long now) {
        return doWork(now, false);
    }

    /**
     * As {@link #doWork}, for a thread that is expected to post or to come back soon: acknowledgements may wait for that,
     * so that they travel with what it posts. Until then {@link #hasWork} says that there is work.
     */
    public boolean poll(long now) {
        return doWork(now, true);
    }

    private boolean doWork(long now, boolean patient) {
        PacketReceiver packets = receiver;
        boolean worked = packets != null && packets.work(now, now - originNs, patient);
        long earliest = earliestNs.get();
        return (earliest != RetryTimer.NEVER && earliest <= now - originNs && expireTimers(now - originNs)) || worked;
    }

    /** When {@link #doWork} must be called even if nothing arrives meanwhile; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        long earliest = earliestNs.get();
        long timers = earliest == RetryTimer.NEVER ? Long.MAX_VALUE : earliest + originNs;
        PacketLink packets = link;
        return packets == null ? timers : Math.min(timers, packets.nextDeadlineNs());
    }

    /** The device's counters by rxe's names, and dropped packets by reason. */
    public Map<String, Long> counters() {
        Map<String, Long> totals = new TreeMap<>();
        synchronized (retired) {
            retired.addTo(totals);
        }
        PacketReceiver packets = receiver;
        if (packets != null) {
            packets.counters.addTo(totals);
        }
        forEachQueuePair(queuePair -> {
            queuePair.requester().counters.addTo(totals);
            queuePair.responder().counters.addTo(totals);
        });
        totals.merge(Counter.SENT_PKTS.label(), generalServices.sent(), Long::sum);
        return totals;
    }

    /** Destroys what is left. The link stays open: it belongs to whoever made it. Idempotent. */
    @Override
    public void close() {
        forEachQueuePair(HcaQueuePair::destroy);
    }

    /** The present device time. */
    long nowNs() {
        return clock.nanoTime() - originNs;
    }

    @Nullable
    PacketLink link() {
        return link;
    }

    /** Whether an address is one of this device's. */
    boolean isLocal(Gid gid) {
        return gids.contains(gid);
    }

    /** A queue pair is about to answer packets. */
    void prepareAnswers() {
        PacketReceiver packets = receiver;
        if (packets != null) {
            packets.prepareAnswers();
        }
    }

    /** A timer was set. */
    void schedule(long deadlineNs) {
        long earliest = earliestNs.get();
        while (deadlineNs < earliest) {
            if (earliestNs.compareAndSet(earliest, deadlineNs)) {
                listener.workScheduled();
                return;
            }
            earliest = earliestNs.get();
        }
    }

    MemoryRegions regions() {
        return regions;
    }

    MemoryWindows windows() {
        return windows;
    }

    List<Gid> gids() {
        return gids;
    }

    HcaListener listener() {
        return listener;
    }

    @Nullable
    HcaQueuePair queuePair(int number) {
        return queuePairs.get(number);
    }

    @Nullable
    HcaAddressHandle addressHandle(int number) {
        return addressHandles.get(number);
    }

    void remove(HcaAddressHandle handle) {
        addressHandles.remove(handle.number(), handle);
    }

    MulticastGroups groups() {
        return groups;
    }

    int queuePairGeneration() {
        return queuePairs.generation();
    }

    /** Takes a queue pair out of the table; false if it was not there any more. */
    boolean remove(HcaQueuePair queuePair) {
        if (!queuePairs.remove(queuePair.number(), queuePair)) {
            return false;
        }
        synchronized (retired) {
            queuePair.requester().counters.addTo(retired);
            queuePair.responder().counters.addTo(retired);
        }
        return true;
    }

    private boolean isExpired() {
        long deadline = nextDeadlineNs();
        return deadline != Long.MAX_VALUE && deadline <= clock.nanoTime();
    }

    private boolean expireTimers(long nowNs) {
        // Whoever sets a timer after this lowers the value again; whoever set it before is found by the loop.
        earliestNs.set(RetryTimer.NEVER);
        boolean worked = false;
        for (int slot = 0; slot < queuePairs.slots(); slot++) {
            HcaQueuePair queuePair = queuePairs.at(slot);
            if (queuePair != null) {
                long deadlineNs = queuePair.requester().timer.deadlineNs();
                if (deadlineNs <= nowNs) {
                    queuePair.expire(nowNs);
                    worked = true;
                    deadlineNs = queuePair.requester().timer.deadlineNs();
                }
                schedule(deadlineNs);
            }
        }
        return worked;
    }

    /** Passes through every queue pair's locks: whoever found a memory region before has let go of it afterwards. */
    private void quiesce() {
        forEachQueuePair(HcaQueuePair::quiesce);
    }

    private void forEachQueuePair(Consumer<HcaQueuePair> action) {
        for (int slot = 0; slot < queuePairs.slots(); slot++) {
            HcaQueuePair queuePair = queuePairs.at(slot);
            if (queuePair != null) {
                action.accept(queuePair);
            }
        }
    }
}
