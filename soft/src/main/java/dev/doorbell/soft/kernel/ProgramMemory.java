package dev.doorbell.soft.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Queues that a program offers by address: only in memory that it has pinned, so the device reaches nothing else. */
final class ProgramMemory {
    private static final int ALIGNMENT = 64;

    private final Pins pins;

    ProgramMemory(Pins pins) {
        this.pins = pins;
    }

    /** A queue; null if not all of it is pinned, or the device may not use it. */
    @Nullable
    MemorySegment queue(long address, long bytes) {
        return find(address, bytes, ALIGNMENT);
    }

    /** A doorbell record; null as for a queue. */
    @Nullable
    MemorySegment record(long address) {
        return find(address, Long.BYTES, Long.BYTES);
    }

    /** A file's mapping may lose its pages, which would hit whoever looks at the queue next: it is refused. */
    private @Nullable MemorySegment find(long address, long bytes, int alignment) {
        MemorySegment memory = address % alignment == 0 ? pins.find(address, bytes) : null;
        boolean usable = memory != null && memory.scope().isAlive() && !memory.isReadOnly() && !memory.isMapped();
        return usable ? memory : null;
    }
}
