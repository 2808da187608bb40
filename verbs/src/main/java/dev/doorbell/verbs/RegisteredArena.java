package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An arena whose memory comes registered: the normal way to get memory for RDMA, and safe. Small allocations share
 * registered slabs, an allocation of more than a quarter of a slab gets a region of its own. Memory is zeroed.
 *
 * <p>{@link #close()} first takes all registrations down, so that no device reaches the memory any more, and then frees
 * it; later accesses throw, and work requests that still name it complete with an access error.
 *
 * <p>The arena, or a slice or region of it, has to stay reachable as long as its memory is used: segments alone do not keep
 * it, and an arena that is lost is freed like everything that is lost.
 *
 * <p>Thread rules: any method from any thread.
 *
 * <p>Each slab is one ibv_reg_mr(3), and closing is an ibv_dereg_mr(3) for each.
 */
public final class RegisteredArena implements Arena {
    static final long DEFAULT_SLAB_BYTES = 1 << 20;
    private static final long PAGE_BYTES = 4096;
    private static final long HUGE_PAGE_BYTES = 2 << 20;

    private final ProtectionDomain domain;
    private final long slabBytes;
    private final Set<AccessFlag> access;
    private final Arena memory;
    private final Lifetime lifetime;

    // Guarded by this.
    private final List<MemoryRegion> regions = new ArrayList<>();
    private long used;
    private int slab = -1;

    @SuppressWarnings("MustBeClosed") // closed by the end of this arena's life
    RegisteredArena(ProtectionDomain domain, long slabBytes, Set<AccessFlag> access, Lifetime parent) {
        Arena shared = Arena.ofShared();
        this.domain = domain;
        this.slabBytes = slabBytes;
        this.access = access;
        this.memory = shared;
        // Its regions are children, and the context closes children first. See close() for the rest.
        String name = "registered arena of " + domain;
        this.lifetime = Lifetime.begin(name, mode -> free(shared, name), parent);
        lifetime.watch(this);
    }

    private static void free(Arena memory, String name) {
        try {
            memory.close();
        } catch (IllegalStateException held) {
            throw new InUseException(Refusal.of(Errno.EBUSY, "close", name)
                    .rule("a system call works on its memory: " + held.getMessage())
                    .remedy("Let reads and writes of files and sockets with it end, then close it again")
                    .cause(held));
        }
    }

    /**
     * Allocates registered memory.
     *
     * @param byteAlignment a power of two
     * @throws VerbsException as {@link ProtectionDomain#register}, where a new slab or region is needed
     * @throws ClosedException after close
     */
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return allocateSlice(byteSize, byteAlignment).segment();
    }

    /** As {@link #allocate(long)}, and says how work requests name it. */
    public MemorySlice allocateSlice(long byteSize) {
        return allocateSlice(byteSize, 1);
    }

    /** As {@link #allocate(long, long)}, and says how work requests name it. */
    public synchronized MemorySlice allocateSlice(long byteSize, long byteAlignment) {
        if (byteSize < 0 || byteAlignment <= 0 || Long.bitCount(byteAlignment) != 1) {
            throw new IllegalArgumentException(
                    "cannot allocate " + byteSize + " bytes with an alignment of " + byteAlignment);
        }
        lifetime.require("allocate");
        // Each allocation has an address of its own, as Arena demands, so an empty one takes a byte.
        long taken = Math.max(byteSize, 1);
        if (taken > slabBytes / 4 || byteAlignment > PAGE_BYTES) {
            return register(taken, Math.max(byteAlignment, PAGE_BYTES)).slice(0, byteSize);
        }
        long offset = slab < 0 ? slabBytes : used + byteAlignment - 1 & -byteAlignment;
        if (offset > slabBytes - taken) {
            register(slabBytes, slabBytes < HUGE_PAGE_BYTES ? PAGE_BYTES : HUGE_PAGE_BYTES);
            slab = regions.size() - 1;
            offset = 0;
        }
        used = offset + taken;
        return regions.get(slab).slice(offset, byteSize);
    }

    private MemoryRegion register(long bytes, long alignment) {
        lifetime.enter("allocate");
        try {
            MemoryRegion region = domain.register(memory.allocate(bytes, alignment), access, this);
            regions.add(region);
            return region;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * How work requests name memory of this arena.
     *
     * @param segment memory that this arena allocated, or a part of it
     * @throws VerbsException EFAULT if it is of another arena
     */
    public synchronized MemorySlice slice(MemorySegment segment) {
        long size = segment.byteSize();
        for (MemoryRegion region : regions) {
            long offset = segment.address() - region.address();
            if (segment.isNative() && offset >= 0 && size <= region.length() - offset) {
                return region.slice(offset, size);
            }
        }
        throw Refusal.of(Errno.EFAULT, "slice", lifetime.name())
                .rule("the memory is not of this arena")
                .remedy("Allocate it here, or register it by itself and slice its region")
                .exception();
    }

    /** The regions so far: slabs, and those of big allocations. */
    public synchronized List<MemoryRegion> regions() {
        return List.copyOf(regions);
    }

    @Override
    public MemorySegment.Scope scope() {
        return memory.scope();
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Takes the registrations down, newest first, and then frees the memory. Idempotent, unlike other arenas.
     *
     * @throws VerbsException if the kernel refuses to take a registration down; then the memory stays
     */
    @Override
    public void close() {
        lifetime.close(Closing.CASCADE);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
