package dev.doorbell.verbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Progress;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.verbs.spi.ProviderContext;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    /** Capabilities and limits (ibv_query_device(3)). */
    public DeviceAttributes query() {
        return call("QUERY_DEVICE", provider::queryDevice);
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

    /** The used slots of a port's GID table. */
    public List<GidEntry> gids(int port) {
        return device.gids(port);
    }

    /** The P_Key in a slot of a port's table. */
    public int pkey(int port, int index) {
        return device.pkey(port, index);
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

    private <T> T call(String operation, java.util.function.Supplier<T> body) {
        lifetime.enter(operation);
        try {
            return body.get();
        } catch (VerbsException e) {
            throw e;
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
