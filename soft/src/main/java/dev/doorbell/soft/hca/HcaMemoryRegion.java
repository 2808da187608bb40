package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the device may reach, through its segment and through nothing else.
 *
 * <p>Thread rules: any thread.
 */
public final class HcaMemoryRegion {
    private static final int ENDED = -1;

    private final MemoryRegions table;
    private final HcaProtectionDomain domain;
    private final MemorySegment memory;
    private final long iova;
    private final long length;
    private final int access;
    private final int key;

    /** Windows that are bound to it; {@link #ENDED} once no more may be. */
    private final AtomicInteger windows = new AtomicInteger();

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
     * @return 0, or EINVAL if it was ended before or windows are bound to it, as rxe answers
     */
    public int deregister() {
        return endWindows() && table.deregister(this) ? 0 : Errno.EINVAL;
    }

    /**
     * Puts another registration in its place, under the same keys. When this returns, no work request uses the old one
     * any more.
     *
     * @param change what is to be different
     * @return the new registration; null if windows are bound to this one (EBUSY), or it was ended before
     */
    public @Nullable HcaMemoryRegion reregister(Change change) {
        if (!endWindows()) {
            return null;
        }
        MemoryRegions.Range range = new MemoryRegions.Range(change.memory, change.iova, change.length);
        HcaMemoryRegion next = new HcaMemoryRegion(table, key, range, change.domain, change.access);
        return table.replace(this, next) ? next : null;
    }

    /** This registration, as a change that changes nothing. */
    public Change unchanged() {
        return new Change(domain, memory, iova, length, access);
    }

    /**
     * A registration as it shall be.
     *
     * @param domain its protection domain
     * @param memory the memory, which must be native; its first {@code length} bytes are covered
     * @param iova the address that the first byte gets in work requests
     * @param length bytes
     * @param access {@code AccessFlag} bits
     */
    public record Change(HcaProtectionDomain domain, MemorySegment memory, long iova, long length, int access) {}

    /** A window is about to be bound to it; false if none may be any more. */
    boolean enterWindow() {
        int bound;
        do {
            bound = windows.get();
            if (bound == ENDED) {
                return false;
            }
        } while (!windows.compareAndSet(bound, bound + 1));
        return true;
    }

    void leaveWindow() {
        windows.decrementAndGet();
    }

    private boolean endWindows() {
        return windows.compareAndSet(0, ENDED);
    }

    /** Whether it grants all of these {@code AccessFlag} bits. */
    boolean allows(int needed) {
        return (access & needed) == needed;
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
