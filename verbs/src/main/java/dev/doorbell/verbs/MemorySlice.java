package dev.doorbell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A part of a registered region: what a scatter/gather element names. A value; it stays valid as long as its region.
 *
 * <p>Follows {@code struct ibv_sge} (ibv_post_send(3)).
 *
 * <p>Thread rules: immutable; what it names may be closed by any thread, and a work request that names it then is
 * refused with {@link ClosedException}.
 *
 * <p>A whole program, {@code examples/AtomicCounter.java}:
 * {@snippet file="AtomicCounter.java"}
 *
 * @param region the region it is part of
 * @param offset of its first byte from that of the region
 * @param length bytes; an element of a work request takes at most 2^32 - 1
 */
public record MemorySlice(MemoryRegion region, long offset, long length) {
    /**
     * Checks the bounds.
     *
     * @throws IndexOutOfBoundsException if it does not lie inside the region
     */
    public MemorySlice {
        region.checkInside(offset, length);
    }

    /** The address of its first byte, as work requests name it. */
    public long address() {
        return region.address() + offset;
    }

    /** The key for local work requests. */
    public int lkey() {
        return region.lkey();
    }

    /** The key for peers. */
    public int rkey() {
        return region.rkey();
    }

    /** Its bytes. */
    public MemorySegment segment() {
        return region.segment().asSlice(offset, length);
    }

    /** What a peer needs to reach it. */
    public RemoteMemory remote() {
        return new RemoteMemory(address(), length, rkey(), region.access());
    }

    /**
     * A part of it.
     *
     * @param from offset from this slice's first byte
     * @throws IndexOutOfBoundsException if the part does not lie inside
     */
    public MemorySlice slice(long from, long size) {
        if ((from | size) < 0 || size > length - from) {
            throw new IndexOutOfBoundsException("bytes [" + from + ", " + (from + size) + ") do not lie in a slice of "
                    + length + " bytes of " + region);
        }
        return new MemorySlice(region, offset + from, size);
    }
}
