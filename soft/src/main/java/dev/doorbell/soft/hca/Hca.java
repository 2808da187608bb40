package dev.doorbell.soft.hca;

import dev.doorbell.memory.SharedRing;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    private final HcaLimits limits;
    private final NanoClock clock;
    private final @Nullable PacketLink link;
    private final List<Gid> gids;
    private final HcaListener listener;
    private final MemoryRegions regions;
    private final NumberTable<HcaQueuePair> queuePairs;

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
        this.gids = List.copyOf(gids);
        this.listener = listener;
        this.regions = new MemoryRegions(random, limits.maxMemoryRegions(), () -> {});
        this.queuePairs = new NumberTable<>(random, 2, limits.maxQueuePairs());
    }

    /** What this device can do. */
    public HcaLimits limits() {
        return limits;
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
     * Creates a completion queue over a ring of which the device is the producer.
     *
     * @param capacity completions that it may hold; at most the ring's capacity
     */
    public HcaCompletionQueue createCompletionQueue(SharedRing ring, int capacity, CompletionListener listener) {
        return new HcaCompletionQueue(ring, capacity, listener);
    }

    /** Creates a queue pair in state RESET; null if there are too many (ENOMEM). */
    public @Nullable HcaQueuePair createQueuePair(QueuePairRequest request) {
        return queuePairs.add(number -> new HcaQueuePair(this, number, request));
    }

    NanoClock clock() {
        return clock;
    }

    @Nullable
    PacketLink link() {
        return link;
    }

    List<Gid> gids() {
        return gids;
    }

    HcaListener listener() {
        return listener;
    }

    /** Whether {@link #doWork} would find anything at this time. Reads only, and nothing that a busy device writes often. */
    public boolean hasWork() {
        return false;
    }

    /**
     * Does what can be done now: takes packets, lets timers expire, resumes what had to wait.
     *
     * @param nowNs the present time of the device's clock
     * @return whether anything was done
     */
    public boolean doWork(long nowNs) {
        return false;
    }

    /** When {@link #doWork} must be called even if nothing arrives meanwhile; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /** The device's counters by rxe's names, and dropped packets by reason. */
    public Map<String, Long> counters() {
        return new TreeMap<>();
    }

    /** Destroys what is left. The link stays open: it belongs to whoever made it. Idempotent. */
    @Override
    public void close() {}
}
