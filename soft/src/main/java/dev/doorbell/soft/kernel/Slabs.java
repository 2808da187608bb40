package dev.doorbell.soft.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Page-aligned, zeroed memory for the rings of one context, cut from slabs of one shared arena: closing a shared arena
 * stops every thread for a moment, so it happens once a context and not once a ring. What was given back is handed out
 * again to a ring of the same size.
 *
 * <p>Guarded by the owner's lock.
 */
final class Slabs implements AutoCloseable {
    static final int PAGE = 4096;
    private static final long SLAB = 256 * 1024;

    private final Arena arena = Arena.ofShared();
    private final Map<Long, Deque<MemorySegment>> free = new HashMap<>();
    private MemorySegment slab = MemorySegment.NULL;
    private long used;

    static long round(long bytes) {
        return (bytes + PAGE - 1) & -PAGE;
    }

    /** Zeroed memory of {@code bytes}, which is a multiple of {@link #PAGE}; null if the machine has no more. */
    @Nullable
    MemorySegment take(long bytes) {
        Deque<MemorySegment> kept = free.get(bytes);
        MemorySegment again = kept == null ? null : kept.poll();
        if (again != null) {
            again.fill((byte) 0);
            return again;
        }
        try {
            return cut(bytes);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private MemorySegment cut(long bytes) {
        if (bytes > SLAB / 4) {
            return arena.allocate(bytes, PAGE);
        }
        if (bytes > slab.byteSize() - used) {
            slab = arena.allocate(SLAB, PAGE);
            used = 0;
        }
        MemorySegment memory = slab.asSlice(used, bytes);
        used += bytes;
        return memory;
    }

    void give(MemorySegment memory) {
        free.computeIfAbsent(memory.byteSize(), size -> new ArrayDeque<>()).push(memory);
    }

    @Override
    public void close() {
        free.clear();
        arena.close();
    }
}
