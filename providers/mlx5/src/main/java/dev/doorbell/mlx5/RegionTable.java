package dev.doorbell.mlx5;

import java.lang.foreign.MemorySegment;

/**
 * The registered memory of a context by its lkey: data that a device delivers inside a completion are copied from there into memory that a
 * work request names by address, and only registered memory can be reached so.
 *
 * <p>Thread rules: any thread.
 */
final class RegionTable {
    /** Memory, and the address by which work requests name its first byte. */
    static final class Region extends KeyTable.Entry {
        private final MemorySegment memory;
        private final long iova;

        private Region(int lkey, MemorySegment memory, long iova) {
            super(lkey);
            this.memory = memory;
            this.iova = iova;
        }
    }

    private final KeyTable regions = new KeyTable();

    /** Adds a region; whoever had the key before has it no more. */
    Region put(int lkey, MemorySegment memory, long iova) {
        Region region = new Region(lkey, memory, iova);
        regions.put(region);
        return region;
    }

    /** Forgets a region, unless another has its key by now. */
    void remove(Region region) {
        regions.remove(region);
    }

    /** Copies bytes to an address; false if that is not in the region. */
    boolean copy(MemorySegment from, long at, int lkey, long address, long length) {
        if (!(regions.find(lkey) instanceof Region region)) {
            return false;
        }
        long offset = address - region.iova;
        if (offset < 0 || length > region.memory.byteSize() - offset) {
            return false;
        }
        try {
            MemorySegment.copy(from, at, region.memory, offset, length);
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }
}
