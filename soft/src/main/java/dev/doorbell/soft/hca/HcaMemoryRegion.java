package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.MemorySegment;

/**
 * Memory that the device may reach, through its segment and through nothing else.
 *
 * <p>Thread rules: any thread.
 */
public final class HcaMemoryRegion {
    private final MemoryRegions table;
    private final HcaProtectionDomain domain;
    private final MemorySegment memory;
    private final long iova;
    private final long length;
    private final int access;
    private final int key;

    HcaMemoryRegion(MemoryRegions table, int key, MemoryRegions.Range range, HcaProtectionDomain domain, int access) {
        this.table = table;
        this.key = key;
        this.domain = domain;
        this.memory = range.memory();
        this.iova = range.iova();
        this.length = range.length();
        this.access = access;
    }

    /** The key that local work requests name. */
    public int lkey() {
        return key;
    }

    /** The key that peers name. */
    public int rkey() {
        return key;
    }

    /** The domain it was registered in. */
    public HcaProtectionDomain domain() {
        return domain;
    }

    /**
     * Ends the registration. When this returns, no work request touches the memory any more.
     *
     * @return 0, or EINVAL if it was ended before
     */
    public int deregister() {
        return table.deregister(this) ? 0 : Errno.EINVAL;
    }

    MemorySegment memory() {
        return memory;
    }

    /**
     * Where an address range lies in {@link #memory()}.
     *
     * @param address first address, in the region's own numbering
     * @param bytes how many bytes from there on, not negative
     * @param needed {@code AccessFlag} bits that the access requires
     * @return the offset, or -1 if the range is not all inside or the region does not allow it
     */
    long locate(long address, long bytes, int needed) {
        long offset = address - iova;
        boolean inside = offset >= 0 && bytes <= length && offset <= length - bytes;
        return inside && (access & needed) == needed ? offset : -1;
    }
}
