package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.RegionChange;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a device may reach (ibv_reg_mr(3)). Made by {@link ProtectionDomain#register}, or behind a
 * {@link RegisteredArena}.
 *
 * <p>The region keeps memory of automatic and global arenas, and of direct buffers, alive until it is closed. Memory of
 * a shared arena is the caller's: close the region before the arena. On the embedded device an arena that is closed too
 * early ends in completions with an access error; <em>on hardware the device may reach pages that the process has given
 * back</em>. A {@link RegisteredArena} closes in the right order by itself.
 *
 * <p>Polling memory: when may a program that watches its memory, without a completion, see a peer's WRITE? On the embedded
 * device the last eight aligned bytes of a message are stored after all the others, in one piece. A program that reads them
 * with acquire ({@link java.lang.invoke.VarHandle#getAcquire}) and finds the new value sees the whole message; so put the
 * flag last, in an aligned long. Of other devices nothing is promised here: the InfiniBand specification says only that all
 * is there when the completion of a SEND, or of a WRITE with immediate data, says so that came later on the same queue pair.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class MemoryRegion implements AutoCloseable {
    private final @Nullable RegisteredArena arena;
    private final Registration registration;
    private final Lifetime lifetime;

    // Changed by a Reregistration, which forbids every other use meanwhile.
    private ProtectionDomain domain;
    private MemorySegment memory;
    private int access;
    private long address;
    private int lkey;
    private int rkey;

    MemoryRegion(ProtectionDomain domain, Extent extent, ProviderMemoryRegion region, @Nullable RegisteredArena arena) {
        this.domain = domain;
        this.arena = arena;
        this.memory = extent.memory;
        this.access = extent.access;
        this.address = extent.address;
        this.lkey = region.lkey();
        this.rkey = region.rkey();
        String name = "memory region 0x" + Integer.toHexString(lkey) + " (" + memory.byteSize() + " bytes)";
        this.registration = new Registration(region, memory, name);
        this.lifetime = Lifetime.begin(name, registration, arena == null ? domain.lifetime() : arena.lifetime());
        if (arena == null) {
            lifetime.watch(this); // an arena's regions are watched with it
        }
    }

    /** What is registered, under which address, with which access. */
    record Extent(MemorySegment memory, long address, int access) {}

    /** Holds the segment, so that memory of an automatic arena outlives its registration. */
    private static final class Registration implements Release {
        private final ProviderMemoryRegion region;
        private final String name;
        private volatile MemorySegment memory;

        private Registration(ProviderMemoryRegion region, MemorySegment memory, String name) {
            this.region = region;
            this.memory = memory;
            this.name = name;
        }

        @Override
        public void release(Closing mode) {
            try {
                region.close();
            } catch (RuntimeException e) {
                throw explain(Refusal.of(e, "DEREG_MR", name));
            } finally {
                Reference.reachabilityFence(memory);
            }
        }

        private static VerbsException explain(Refusal refusal) {
            return refusal.errno == Errno.EINVAL || refusal.errno == Errno.EBUSY
                    ? refusal.rule("a memory window is bound to it")
                            .remedy("Invalidate or close its windows first")
                            .exception()
                    : refusal.exception();
        }
    }

    /** The protection domain that it belongs to. */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** Begins a change of what it covers, belongs to or grants (ibv_rereg_mr(3)). */
    public Reregistration reregister() {
        return new Reregistration(this);
    }

    /** Changes it in the kernel and then here; whoever calls has entered the target. */
    void change(RegionChange change, ProtectionDomain target, MemorySegment covered, long iova, int grants) {
        lifetime.enter("REREG_MR");
        try {
            registration.region.reregister(change);
            registration.memory = covered;
            lifetime.move(domain.lifetime(), target.lifetime());
            domain = target;
            memory = covered;
            address = iova;
            access = grants;
            lkey = registration.region.lkey();
            rkey = registration.region.rkey();
        } finally {
            lifetime.exit();
        }
    }

    /** The arena whose slab it is, which it keeps alive; empty for memory that was registered by itself. */
    public Optional<RegisteredArena> arena() {
        return Optional.ofNullable(arena);
    }

    /** The address of its first byte, as work requests name it. */
    public long address() {
        return address;
    }

    /** Bytes. */
    public long length() {
        return memory.byteSize();
    }

    /** The key for local work requests. */
    public int lkey() {
        return lkey;
    }

    /** The key for peers. */
    public int rkey() {
        return rkey;
    }

    /** What it grants, bits of {@link AccessFlag}. */
    public int access() {
        return access;
    }

    /** What it grants. */
    public Set<AccessFlag> accessFlags() {
        return AccessFlag.set(access);
    }

    /** Its bytes. */
    public MemorySegment segment() {
        return memory;
    }

    /**
     * A part of it.
     *
     * @throws IndexOutOfBoundsException if the part does not lie inside
     */
    public MemorySlice slice(long offset, long size) {
        return new MemorySlice(this, offset, size);
    }

    /** All of it. */
    public MemorySlice slice() {
        return new MemorySlice(this, 0, length());
    }

    /** What a peer needs to reach all of it. */
    public RemoteMemory remote() {
        return slice().remote();
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Takes the registration down (ibv_dereg_mr(3)): when this returns, the device reaches the memory no more. Work
     * requests that still name it fail. Idempotent.
     *
     * @throws VerbsException EBUSY, or EINVAL on Soft-RoCE and the embedded device, while a memory window is bound to it
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    void checkInside(long offset, long size) {
        if ((offset | size) < 0 || size > memory.byteSize() - offset) {
            throw outside(offset, size);
        }
    }

    IndexOutOfBoundsException outside(long offset, long size) {
        return new IndexOutOfBoundsException(
                "bytes [" + offset + ", " + (offset + size) + ") do not lie in " + lifetime.name());
    }

    ClosedException closed(String operation) {
        return lifetime.closed(operation);
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
