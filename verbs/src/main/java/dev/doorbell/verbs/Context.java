package dev.doorbell.verbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Progress;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.verbs.spi.OptionalOperations;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * An open device (ibv_open_device(3)): who drives it, what it can do, and where everything else is made.
 *
 * <p>{@link #close()} closes everything in it, in the right order. What is lost without being closed is reported by the
 * logger {@code dev.doorbell.leaks} with the place where it was created, and freed.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class Context implements AutoCloseable {
    private final Device device;
    private final ProviderContext provider;
    private final CommandChannel channel;
    private final long deviceCapabilities;
    private final Lifetime lifetime;
    private final EventTargets targets = new EventTargets();
    private final QueuePairTable queuePairs = new QueuePairTable();
    private final AsyncEvents events;

    Context(Device device, ProviderContext provider, CommandChannel channel, long deviceCapabilities) {
        this.device = device;
        this.provider = provider;
        this.channel = channel;
        this.deviceCapabilities = deviceCapabilities;
        String name = "context of " + device.name();
        EventInbox inbox = new EventInbox(
                provider.asyncEvents(), dev.doorbell.kernel.abi.AsyncEvent.SIZE, "the events of " + name);
        this.lifetime = Lifetime.begin(name, new ContextRelease(inbox, channel));
        this.events = new AsyncEvents(device, lifetime, inbox, targets, channel.progress());
        lifetime.watch(this);
    }

    private record ContextRelease(EventInbox events, CommandChannel channel) implements Release {
        @Override
        public void release(Closing mode) {
            events.close();
            channel.close();
        }

        @Override
        public boolean takesChildren() {
            return true;
        }
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /** Name of the user-mode driver that serves it. */
    public String driver() {
        return device.driver().orElse("");
    }

    /** Version of the ABI between the kernel driver and the user-mode driver. */
    public int driverAbi() {
        return device.driverAbi();
    }

    /** Version of the ABI of the kernel's commands. */
    public int coreAbi() {
        return device.coreAbi();
    }

    /** What commands go through, for people. */
    public String commandFile() {
        return channel.description();
    }

    /** What asynchronous events come from, for people. */
    public String asyncFile() {
        return "fd " + provider.asyncEvents().descriptor();
    }

    /** Completion vectors that a completion queue can choose from, from 0. */
    public int completionVectors() {
        return provider.completionVectors();
    }

    /**
     * Each operation that the driver has, in alphabetical order, with the name of the class that implements it. What is
     * missing answers {@link NotSupportedException}.
     */
    public Map<String, String> operations() {
        Map<String, String> names = new TreeMap<>();
        provider.operations().forEach((operation, type) -> names.put(operation.name(), type.getName()));
        return names;
    }

    /**
     * The queue pair of this context that has a number, such as that of a completion which was kept; empty if it was closed, or
     * lost. Kernels give numbers anew.
     */
    public Optional<QueuePair> queuePair(int number) {
        return Optional.ofNullable(queuePairs.find(number));
    }

    /** Capabilities and limits (ibv_query_device(3)). */
    public DeviceAttributes query() {
        return call("QUERY_DEVICE", provider::queryDevice);
    }

    /** All that the device says of itself (ibv_query_device_ex(3)). */
    public ExtendedDeviceAttributes queryExtended() {
        return call("EX_QUERY_DEVICE", provider::queryDeviceExtended);
    }

    /** Whether something that not every device has works here. */
    public boolean supports(Capability capability) {
        return call("EX_QUERY_DEVICE", () -> new Offer(provider.queryDeviceExtended(), provider).has(capability));
    }

    /** What works here of what not every device has. */
    public Set<Capability> capabilities() {
        return call("EX_QUERY_DEVICE", () -> {
            Offer offer = new Offer(provider.queryDeviceExtended(), provider);
            Set<Capability> offered = EnumSet.noneOf(Capability.class);
            for (Capability capability : Capability.values()) {
                if (offer.has(capability)) {
                    offered.add(capability);
                }
            }
            return offered;
        });
    }

    /**
     * Reads the device's clock (ibv_query_rt_values_ex(3)).
     *
     * @throws NotSupportedException if it has none that can be read
     */
    public DeviceClock queryClock() {
        return call("QUERY_RT_VALUES", () -> {
            ExtendedDeviceAttributes attributes = provider.queryDeviceExtended();
            if (attributes.coreClockKilohertz() == 0 || attributes.timestampMask() == 0) {
                throw VerbsFault.unsupported("QUERY_RT_VALUES");
            }
            Instant before = Instant.now();
            long ticks = provider.queryClock();
            long nanos = TimeUnit.SECONDS.toNanos(before.getEpochSecond()) + before.getNano();
            return new DeviceClock(ticks, attributes.coreClockKilohertz(), attributes.timestampMask(), nanos);
        });
    }

    /**
     * Allocates memory of the device (ibv_alloc_dm(3)).
     *
     * @param logAlignment of its address, as a power of two
     * @throws NotSupportedException if it has none
     */
    public DeviceMemory allocateDeviceMemory(long length, int logAlignment) {
        return call(
                "ALLOC_DM",
                () -> new DeviceMemory(provider.allocateDeviceMemory(length, logAlignment), length, lifetime));
    }

    /**
     * Opens an XRC domain, which processes share by a file (ibv_open_xrcd(3)).
     *
     * @param descriptor of the file, or -1
     * @param openFlags O_CREAT and O_EXCL
     * @throws NotSupportedException if the device has no XRC
     */
    public DeviceObject openXrcDomain(int descriptor, int openFlags) {
        return make("OPEN_XRCD", "XRC domain", "CLOSE_XRCD", () -> provider.openXrcDomain(descriptor, openFlags));
    }

    /**
     * Makes a table that spreads packets over receive work queues (ibv_create_rwq_ind_table(3)).
     *
     * @param workQueues a power of two of them
     * @throws NotSupportedException if the device has none
     */
    public DeviceObject createIndirectionTable(List<DeviceObject> workQueues) {
        List<Integer> handles = workQueues.stream().map(DeviceObject::handle).toList();
        return make(
                "CREATE_RWQ_IND_TABLE",
                "indirection table",
                "DESTROY_RWQ_IND_TABLE",
                () -> provider.createIndirectionTable(handles));
    }

    /**
     * Makes counters that flow rules can count in (ibv_create_counters(3)).
     *
     * @throws NotSupportedException if the device has none
     */
    public DeviceObject createCounters() {
        return make("CREATE_COUNTERS", "counters", "DESTROY_COUNTERS", provider::createCounters);
    }

    /** Reads counters (ibv_read_counters(3)). Throws as {@link #createCounters()}. */
    public long[] readCounters(DeviceObject counters, int count) {
        return call("READ_COUNTERS", () -> provider.readCounters(counters.handle(), count));
    }

    private DeviceObject make(
            String operation, String kind, String destroy, Supplier<OptionalOperations.Handle> handle) {
        return call(operation, () -> new DeviceObject(kind, destroy, handle.get(), lifetime));
    }

    /**
     * State and limits of a port (ibv_query_port(3)).
     *
     * @param port from 1
     */
    public PortAttributes queryPort(int port) {
        if (port < 1 || port > device.ports()) {
            throw Refusal.of(Errno.EINVAL, "QUERY_PORT", lifetime.name())
                    .limit("port " + port, "1 to " + device.ports())
                    .exception();
        }
        return call("QUERY_PORT", () -> provider.queryPort(port));
    }

    /** The used slots of a port's GID table (ibv_query_gid_table(3)). */
    public List<GidEntry> gids(int port) {
        device.checkPort(port);
        return channel.gids(port).orElseGet(() -> device.gids(port));
    }

    /** The P_Key in a slot of a port's table. */
    public int pkey(int port, int index) {
        return device.pkey(port, index);
    }

    /**
     * The slot of a port's table that holds a P_Key (ibv_get_pkey_index(3)).
     *
     * @param pkey 16 bits; the membership bit counts
     * @throws VerbsException ENOENT if the table does not hold it
     */
    public int pkeyIndex(int port, int pkey) {
        int slots = queryPort(port).pkeyTableLength();
        for (int index = 0; index < slots; index++) {
            if (pkey(port, index) == pkey) {
                return index;
            }
        }
        throw Refusal.of(Errno.ENOENT, "find P_Key", "port " + port + " of " + device.name())
                .limit("P_Key 0x" + Integer.toHexString(pkey), "one of the port's")
                .exception();
    }

    /**
     * The GID in a slot of a port's table, with its type and net device (ibv_query_gid_ex(3)).
     *
     * @throws VerbsException ENODATA for an empty slot; EINVAL for a port that the device lacks
     */
    public GidEntry gid(int port, int index) {
        queryPort(port);
        return gids(port).stream()
                .filter(entry -> entry.index() == index)
                .findFirst()
                .orElseThrow(() -> Refusal.of(Errno.ENODATA, "query GID", "port " + port + " of " + device.name())
                        .limit("slot " + index, "a slot in use")
                        .exception());
    }

    /**
     * The GID that queue pairs of a port use unless they are told another. Best first: RoCE v2 over IPv4, RoCE v2 over
     * global IPv6, InfiniBand, RoCE v1, link-local; within each the lowest index. An entry whose net device is not in
     * this network namespace cannot be used.
     *
     * @throws VerbsException ENODATA if no entry can be used; the message says why for each
     */
    public GidChoice chooseGid(int port) {
        return chooseGid(port, gids(port), "its GID table is empty");
    }

    /**
     * As {@link #chooseGid(int)}, among the entries that can reach a peer: those of its address family.
     *
     * @param peer the peer's address, or a multicast group
     */
    public GidChoice chooseGid(int port, Gid peer) {
        return chooseGid(
                port,
                gids(port).stream()
                        .filter(entry -> entry.gid().isIpv4Mapped() == peer.isIpv4Mapped())
                        .toList(),
                "it has no GID of the address family of " + peer);
    }

    private GidChoice chooseGid(int port, List<GidEntry> entries, String none) {
        return GidRanking.choose(entries)
                .orElseThrow(() -> Refusal.of(Errno.ENODATA, "choose GID", "port " + port + " of " + device.name())
                        .rule(entries.isEmpty() ? none : "no entry can be used: " + GidRanking.passedOver(entries))
                        .remedy("Give the port's net device an address in this network namespace, or name a GID index")
                        .exception());
    }

    /**
     * The way back to who sent a datagram (ibv_init_ah_from_wc(3)).
     *
     * @param port the port that it came to
     * @param received its completion
     * @param memory the memory that it was received into
     * @param offset where the datagram, with its {@link Grh}, begins there
     * @throws VerbsException EINVAL if that is no datagram, or was sent to an address that the port has no more
     */
    public AddressVector replyAddress(int port, WorkCompletion received, MemorySegment memory, long offset) {
        lifetime.require("address of a reply");
        return ReplyAddress.of(this, port, received, memory, offset);
    }

    /** Allocates a protection domain (ibv_alloc_pd(3)). */
    public ProtectionDomain allocateProtectionDomain() {
        return call("ALLOC_PD", () -> new ProtectionDomain(this, provider.allocateProtectionDomain(), lifetime));
    }

    /** A completion queue for this many completions, on vector 0 (ibv_create_cq(3)). */
    public CompletionQueue createCompletionQueue(int entries) {
        return completionQueue(entries).build();
    }

    /** A completion queue for this many completions, to be described further. */
    public CompletionQueue.Builder completionQueue(int entries) {
        return new CompletionQueue.Builder(this, entries);
    }

    /** A channel that tells which of its completion queues have completions (ibv_create_comp_channel(3)). */
    public CompletionChannel createCompletionChannel() {
        return call("CREATE_COMP_CHANNEL", () -> new CompletionChannel(this));
    }

    /** What happens to the device and its objects by themselves (ibv_get_async_event(3)). */
    public AsyncEvents events() {
        return events;
    }

    /**
     * Closes the context and everything in it: queue pairs, regions, completion queues and protection domains, in the
     * right order. Completions that were not polled are gone, and outstanding work requests are not waited for; close
     * the queue pairs first where that matters. Idempotent.
     */
    @Override
    public void close() {
        lifetime.close(Closing.CASCADE);
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    private <T> T call(String operation, Supplier<T> body) {
        lifetime.enter(operation);
        try {
            return body.get();
        } catch (RuntimeException e) {
            Refusal refusal = Refusal.of(e, operation, lifetime.name());
            throw (refusal.errno == Errno.ENOMEM ? refusal.remedy(LockedMemory.remedy()) : refusal).exception();
        } finally {
            lifetime.exit();
        }
    }

    /** The {@link dev.doorbell.spec.DeviceCapability} bits that the device had when it was opened; they do not change. */
    long deviceCapabilities() {
        return deviceCapabilities;
    }

    ProviderContext provider() {
        return provider;
    }

    EventTargets targets() {
        return targets;
    }

    QueuePairTable queuePairs() {
        return queuePairs;
    }

    Progress progress() {
        return channel.progress();
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.name() + " (driver " + driver() + ", " + commandFile() + ")";
    }
}
