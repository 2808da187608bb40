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
 * again to a ring of the same size. A ring so large that keeping it would waste memory has an arena to itself.
 *
 * <p>Guarded by the owner's lock.
 */
final class Slabs implements AutoCloseable {
    static final int PAGE = 4096;
    static final long LARGE = 1 << 20;
    private static final long SLAB = 256 * 1024;

    private final Arena arena = Arena.ofShared();
    private final Map<Long, Deque<MemorySegment>> free = new HashMap<>();
    private final Map<Long, LargeRing> large = new HashMap<>();
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
        if (bytes >= LARGE) {
            return alone(bytes);
        }
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

    private MemorySegment alone(long bytes) {
        LargeRing ring = new LargeRing();
        MemorySegment memory = ring.allocate(bytes);
        large.put(memory.address(), ring);
        return memory;
    }

    /** Takes memory back; nobody uses it any more. */
    void give(MemorySegment memory) {
        LargeRing own = large.remove(memory.address());
        if (own != null) {
            own.close();
            return;
        }
        free.computeIfAbsent(memory.byteSize(), size -> new ArrayDeque<>()).push(memory);
    }

    @Override
    public void close() {
        free.clear();
        large.values().forEach(LargeRing::close);
        large.clear();
        arena.close();
    }

    /** An arena for one ring. */
    private static final class LargeRing implements AutoCloseable {
        private final Arena arena = Arena.ofShared();

        MemorySegment allocate(long bytes) {
            try {
                return arena.allocate(bytes, PAGE);
            } catch (OutOfMemoryError e) {
                arena.close();
                throw e;
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
