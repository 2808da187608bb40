package dev.doorbell.soft.hca;

import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The device's memory regions by key. A key is a random index above a random byte, so that a stale or guessed key is
 * hardly ever a valid one.
 */
final class MemoryRegions {
    /** Bits of a key below the index. */
    static final int KEY_BYTE_BITS = 8;

    private final NumberTable<HcaMemoryRegion> table;
    private final RandomGenerator random;
    private final Runnable quiesce;

    /**
     * An empty table.
     *
     * @param quiesce returns after every user of a region that was looked up before has let go of it
     */
    MemoryRegions(RandomGenerator random, int limit, Runnable quiesce) {
        this.random = random;
        this.table = new NumberTable<>(random, 1, MemoryWindows.FIRST_INDEX, limit);
        this.quiesce = quiesce;
    }

    @Nullable
    HcaMemoryRegion register(HcaProtectionDomain domain, Range range, int access) {
        return table.add(index -> {
            int key = index << KEY_BYTE_BITS | random.nextInt(1 << KEY_BYTE_BITS);
            return new HcaMemoryRegion(this, key, range, domain, access);
        });
    }

    /**
     * The region with this key in this domain, or null. Only valid until the caller gives up the queue pair's lock that
     * it holds.
     */
    @Nullable
    HcaMemoryRegion find(int key, HcaProtectionDomain domain) {
        HcaMemoryRegion region = table.get(key >>> KEY_BYTE_BITS);
        return region != null && region.lkey() == key && region.domain() == domain ? region : null;
    }

    /** Lets a region give way to another with the same key; nobody uses the old one when this returns. */
    boolean replace(HcaMemoryRegion region, HcaMemoryRegion next) {
        if (!table.replace(region.lkey() >>> KEY_BYTE_BITS, region, next)) {
            return false;
        }
        quiesce.run();
        return true;
    }

    /** Changes with every deregistration: until then, a region that was found is still there. */
    int generation() {
        return table.generation();
    }

    boolean deregister(HcaMemoryRegion region) {
        if (!table.remove(region.lkey() >>> KEY_BYTE_BITS, region)) {
            return false;
        }
        quiesce.run();
        return true;
    }

    /** What a region covers: {@code length} bytes of {@code memory} from its start, at address {@code iova} and up. */
    record Range(MemorySegment memory, long iova, long length) {}
}
