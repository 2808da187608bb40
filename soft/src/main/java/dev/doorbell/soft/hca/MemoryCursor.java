package dev.doorbell.soft.hca;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A position in the bytes of a message: in one stretch of memory, or in the memory that scatter/gather elements name.
 *
 * <p>Elements are looked up when the position reaches them, and again after {@link #resume()}: a region that was found
 * must not be used after its finder has given up its lock.
 */
final class MemoryCursor extends Padded {
    private final RegionLookup regions;
    private @Nullable SgeList list;
    private @Nullable HcaProtectionDomain domain;
    private int needed;
    private int index;
    private long offset;

    private MemorySegment memory = MemorySegment.NULL;
    private long at;
    private long left;

    MemoryCursor(MemoryRegions regions) {
        this.regions = new RegionLookup(regions);
    }

    /** Stands at the start of one stretch. */
    void range(MemorySegment stretch, long start, long length) {
        list = null;
        memory = stretch;
        at = start;
        left = length;
    }

    /**
     * Stands at the start of the memory that elements name.
     *
     * @param access {@code AccessFlag} bits that their regions must have
     */
    void elements(SgeList elements, HcaProtectionDomain owner, int access) {
        list = elements;
        domain = owner;
        needed = access;
        index = 0;
        offset = 0;
        left = 0;
    }

    /** Forgets what was looked up in the elements, but not the position. */
    void resume() {
        if (list != null) {
            left = 0;
        }
    }

    /** Moves to byte {@code position} of the elements. */
    void seek(long position) {
        SgeList elements = list;
        index = 0;
        offset = position;
        left = 0;
        while (elements != null && index < elements.count() && offset >= elements.length(index)) {
            offset -= elements.length(index++);
        }
    }

    /** Makes sure that bytes lie at the position; false if there are no more, or they may not be touched. */
    boolean fill() {
        return left > 0 || enter();
    }

    /** Whether the next {@code length} bytes, counted from the start of the elements, may all be touched. */
    boolean reaches(long length) {
        SgeList elements = list;
        if (elements == null || elements.count() == 1) {
            return length == 0 || (fill() && left >= length);
        }
        long rest = length;
        for (int element = 0; element < elements.count() && rest > 0; element++) {
            long bytes = Math.min(rest, elements.length(element));
            if (bytes > 0 && locate(elements, element) < 0) {
                return false;
            }
            rest -= bytes;
        }
        return rest == 0;
    }

    MemorySegment memory() {
        return memory;
    }

    long at() {
        return at;
    }

    /** Bytes in one piece from the position on. */
    long left() {
        return left;
    }

    void advance(long bytes) {
        at += bytes;
        left -= bytes;
        offset += bytes;
    }

    private boolean enter() {
        SgeList elements = list;
        if (elements == null) {
            return false;
        }
        while (index < elements.count() && offset >= elements.length(index)) {
            index++;
            offset = 0;
        }
        if (index == elements.count()) {
            return false;
        }
        long start = locate(elements, index);
        if (start < 0) {
            return false;
        }
        at = start + offset;
        left = elements.length(index) - offset;
        return true;
    }

    /** Finds an element's memory; its offset there, or -1. */
    private long locate(SgeList elements, int element) {
        HcaProtectionDomain owner = domain;
        HcaMemoryRegion region = owner == null ? null : regions.find(elements.key(element), owner);
        if (region == null) {
            return -1;
        }
        memory = region.memory();
        return region.locate(elements.address(element), elements.length(element), needed);
    }
}
