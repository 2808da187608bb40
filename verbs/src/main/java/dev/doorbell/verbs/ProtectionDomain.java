package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.verbs.spi.ProviderContext;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fence around objects that may work together (ibv_alloc_pd(3)): a queue pair reaches the memory regions of its own
 * protection domain and no others.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class ProtectionDomain implements AutoCloseable {
    private static final int FIRST_PORT = 1;

    private final Context context;
    private final int handle;
    private final Lifetime lifetime;

    ProtectionDomain(Context context, int handle, Lifetime parent) {
        this.context = context;
        this.handle = handle;
        ProviderContext provider = context.provider();
        String name = "protection domain " + handle + " of " + context.device().name();
        this.lifetime = Lifetime.begin(
                name,
                Release.destroying("DEALLOC_PD", name, () -> provider.deallocateProtectionDomain(handle)),
                parent);
        lifetime.watch(this);
    }

    /** The context that it belongs to. */
    public Context context() {
        return context;
    }

    /** The kernel's handle. */
    public int handle() {
        return handle;
    }

    /**
     * Registers native memory (ibv_reg_mr(3)).
     *
     * <p>Refused are memory on the heap and memory of a confined arena, on every kernel (EFAULT): a device has no
     * thread, and cannot follow objects that move. Read-only memory is taken where nobody asks to write (EACCES). See
     * {@link MemoryRegion} for how long the memory must live.
     *
     * @param memory native memory of a shared, automatic or global arena, or mapped from a file; any length
     * @param access what is granted; without {@link AccessFlag#LOCAL_WRITE}, work requests may only send from it
     * @throws VerbsException EFAULT, EACCES, EINVAL or ENOMEM; each with the remedy
     */
    public MemoryRegion register(MemorySegment memory, Set<AccessFlag> access) {
        return register(memory, access, null);
    }

    /** As {@link #register(MemorySegment, Set)}. */
    public MemoryRegion register(MemorySegment memory, AccessFlag... access) {
        return register(memory, flags(access), null);
    }

    /**
     * Registers a direct buffer from its position to its limit. The region keeps the buffer's memory alive.
     *
     * @throws VerbsException as {@link #register(MemorySegment, Set)}
     */
    public MemoryRegion register(ByteBuffer buffer, AccessFlag... access) {
        return register(MemorySegment.ofBuffer(buffer), flags(access), null);
    }

    /**
     * Registers native memory under an address of the program's choice (ibv_reg_mr_iova(3)): work requests, here and at
     * peers, name its first byte by that. The address and the memory must agree in their offset within a page.
     *
     * @param address 0 for addresses that count from the start of the memory
     * @throws VerbsException as {@link #register(MemorySegment, Set)}
     */
    public MemoryRegion register(MemorySegment memory, long address, Set<AccessFlag> access) {
        return register(new MemoryRegion.Extent(memory, address, AccessFlag.mask(access)), null);
    }

    MemoryRegion register(MemorySegment memory, Set<AccessFlag> access, @Nullable RegisteredArena arena) {
        return register(new MemoryRegion.Extent(memory, memory.address(), AccessFlag.mask(access)), arena);
    }

    private MemoryRegion register(MemoryRegion.Extent extent, @Nullable RegisteredArena arena) {
        Lifetime parent = arena == null ? lifetime : arena.lifetime();
        MemorySegment memory = extent.memory();
        int mask = extent.access();
        RegistrationRules.check(memory, mask, lifetime.name());
        parent.enter("REG_MR");
        try {
            return new MemoryRegion(
                    this, extent, context.provider().registerMemory(handle, memory, extent.address(), mask), arena);
        } catch (RuntimeException e) {
            throw RegistrationRules.explain(e, memory, mask, lifetime.name());
        } finally {
            parent.exit();
        }
    }

    private static Set<AccessFlag> flags(AccessFlag... access) {
        Set<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : access) {
            flags.add(flag);
        }
        return flags;
    }

    /** An arena whose memory comes registered, in slabs of 1 MiB. */
    public RegisteredArena arena(AccessFlag... access) {
        return arena(RegisteredArena.DEFAULT_SLAB_BYTES, access);
    }

    /**
     * An arena whose memory comes registered.
     *
     * @param slabBytes size of its slabs; 2 MiB and more are laid out for huge pages
     * @param access what each slab grants
     */
    public RegisteredArena arena(long slabBytes, AccessFlag... access) {
        if (slabBytes <= 0) {
            throw Refusal.of(Errno.EINVAL, "create arena", lifetime.name())
                    .limit("slabs of " + slabBytes + " bytes", "1 byte and more")
                    .exception();
        }
        lifetime.enter("create arena");
        try {
            return new RegisteredArena(this, slabBytes, flags(access), lifetime);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Resolves an address for datagrams (ibv_create_ah(3)).
     *
     * @throws VerbsException EINVAL or ENODATA if it leads nowhere from the port and slot that it names; ENOMEM for one
     *     handle too many
     */
    public AddressHandle createAddressHandle(AddressVector address) {
        return AddressHandle.create(this, address);
    }

    /** Resolves the way from port 1 to a peer's queue pair. Throws as {@link #createAddressHandle(AddressVector)}. */
    public AddressHandle createAddressHandle(Endpoint peer) {
        return AddressHandle.create(this, AddressHandle.vector(context, FIRST_PORT, peer.gid(), peer.lid()));
    }

    /**
     * Resolves the way from port 1 to an address, or to a multicast group ({@link Gid#ofGroup}). Throws as
     * {@link #createAddressHandle(AddressVector)}.
     */
    public AddressHandle createAddressHandle(Gid destination) {
        return AddressHandle.create(this, AddressHandle.vector(context, FIRST_PORT, destination, 0));
    }

    /**
     * Resolves the way from port 1 back to who sent a datagram (ibv_create_ah_from_wc(3)).
     *
     * @param received its completion
     * @param memory what it was received into, from its {@link Grh} on
     * @throws VerbsException as {@link Context#replyAddress} and {@link #createAddressHandle(AddressVector)}
     */
    public AddressHandle createAddressHandle(WorkCompletion received, MemorySlice memory) {
        lifetime.require("CREATE_AH");
        return AddressHandle.create(
                this, context.replyAddress(FIRST_PORT, received, memory.region().segment(), memory.offset()));
    }

    /**
     * Allocates a memory window, which opens nothing until it is bound (ibv_alloc_mw(3)).
     *
     * @throws NotSupportedException if the device does not have that type
     * @throws VerbsException ENOMEM
     */
    public MemoryWindow allocateMemoryWindow(MemoryWindow.Type type) {
        return call(
                "ALLOC_MW",
                provider -> new MemoryWindow(this, type, provider.allocateMemoryWindow(handle, type.code())));
    }

    /** A reliable connection queue pair that completes into one queue, to be described further. */
    public QueuePair.Builder queuePair(CompletionQueue completions) {
        return new QueuePair.Builder(this, completions);
    }

    /**
     * A shared receive queue, to be described further.
     *
     * @param depth work requests that it holds
     */
    public SharedReceiveQueue.Builder sharedReceiveQueue(int depth) {
        return new SharedReceiveQueue.Builder(this, depth);
    }

    /**
     * Memory that reads as zeros and swallows what is written (ibv_alloc_null_mr(3)).
     *
     * @throws NotSupportedException if the device has none
     */
    public KeyedMemory nullRegion() {
        return call(
                "ALLOC_NULL_MR",
                provider -> new KeyedMemory(
                        "null region", provider.allocateNullRegion(handle), 0, 0xffff_ffffL, 0, lifetime));
    }

    /**
     * Registers a part of another device's DMA buffer (ibv_reg_dmabuf_mr(3)).
     *
     * @param descriptor of the buffer
     * @param address by which work requests name its first byte
     * @throws NotSupportedException if the device cannot reach such buffers
     */
    public KeyedMemory registerDmaBuffer(
            int descriptor, long offset, long length, long address, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        return call(
                "REG_DMABUF_MR",
                provider -> new KeyedMemory(
                        "region of a DMA buffer",
                        provider.registerDmaBuffer(handle, descriptor, offset, length, address, mask),
                        address,
                        length,
                        mask,
                        lifetime));
    }

    /**
     * Lets the device fetch pages of memory that is registered with {@link AccessFlag#ON_DEMAND} (ibv_advise_mr(3)).
     *
     * @param toWrite whether they are to be written
     * @param wait whether to return only when they are there
     * @throws NotSupportedException if the device does not fetch pages on demand
     */
    public void prefetch(List<MemorySlice> slices, boolean toWrite, boolean wait) {
        call("ADVISE_MR", provider -> {
            provider.advise(handle, toWrite ? 1 : 0, wait, slices);
            return slices;
        });
    }

    /**
     * A domain for queue pairs that one thread uses (ibv_alloc_td(3), ibv_alloc_parent_domain(3)). Where nothing but the
     * locks is to be saved, {@link QueuePair.Builder#singleThreaded()} does it on every device.
     *
     * @throws NotSupportedException if the device has none
     */
    public DeviceObject threadDomain() {
        return call(
                "ALLOC_TD",
                provider -> new DeviceObject(
                        "thread domain", "DEALLOC_TD", provider.allocateThreadDomain(handle), lifetime));
    }

    /**
     * A receive queue without a queue pair, for raw packets (ibv_create_wq(3)).
     *
     * @throws NotSupportedException if the device has none
     */
    public DeviceObject receiveWorkQueue(CompletionQueue completions, int depth, int sge) {
        return call(
                "CREATE_WQ",
                provider -> new DeviceObject(
                        "receive work queue",
                        "DESTROY_WQ",
                        provider.createReceiveWorkQueue(handle, completions.provider(), depth, sge),
                        lifetime,
                        completions.lifetime()));
    }

    private <T> T call(String operation, Function<ProviderContext, T> body) {
        return lifetime.call(operation, () -> body.apply(context.provider()));
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Gives it back (ibv_dealloc_pd(3)). Idempotent.
     *
     * @throws VerbsException EBUSY with their list while something is left that was made in it
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
