package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.memory.SharedRing;
import java.lang.foreign.MemorySegment;

/**
 * A ring that a command made: the memory, the device's view of it, and the key under which a program may map it. It
 * lives until its object is gone and it is not mapped. State is guarded by its store.
 */
final class Ring {
    private final SharedRing view;
    private final MemorySegment memory;
    private final long key;

    boolean owned = true;
    boolean mapped;

    /**
     * @param memory whole pages, less than 2 GiB
     */
    Ring(SharedRing view, MemorySegment memory, long key) {
        this.view = view;
        this.memory = memory;
        this.key = key;
    }

    /** The device's view. */
    SharedRing view() {
        return view;
    }

    int capacity() {
        return view.capacity();
    }

    MemorySegment memory() {
        return memory;
    }

    long key() {
        return key;
    }

    /** What may be mapped: whole pages. */
    int bytes() {
        return (int) memory.byteSize();
    }

    /** Tells a program how to map the ring. */
    void describe(MemorySegment answer, long at) {
        RxeMmapInfo.setOffset(answer, at, key);
        RxeMmapInfo.setLength(answer, at, bytes());
    }
}
