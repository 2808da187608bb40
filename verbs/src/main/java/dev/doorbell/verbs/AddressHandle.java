package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.verbs.spi.ProviderAddressHandle;

/**
 * An address that the device has resolved (ibv_create_ah(3)): where datagrams go. Made by
 * {@link ProtectionDomain#createAddressHandle(Endpoint)} and its siblings, for every queue pair of that protection domain,
 * and named in a work request with {@link SendBatch#to(AddressHandle, int, int)}.
 *
 * <p>Close it after the work requests that name it are complete: one that the device has not sent by then fails.
 *
 * <p>Thread rules: any method from any thread.
 *
 * <p>A whole program, {@code examples/Datagrams.java}:
 * {@snippet file="Datagrams.java"}
 */
public final class AddressHandle implements AutoCloseable {
    /** The queue pair number that stands for every member of a multicast group. */
    public static final int MULTICAST_QUEUE_PAIR = 0xff_ffff;

    private final ProtectionDomain domain;
    private final AddressVector address;
    private final int number;
    private final int maxBytes;
    private final Lifetime lifetime;

    private AddressHandle(
            ProtectionDomain domain, AddressVector address, ProviderAddressHandle provider, int maxBytes) {
        this.domain = domain;
        this.address = address;
        this.number = provider.number();
        this.maxBytes = maxBytes;
        String name = "address handle to " + address.destination() + " of "
                + domain.context().device().name();
        this.lifetime =
                Lifetime.begin(name, Release.destroying("DESTROY_AH", name, provider::close), domain.lifetime());
        lifetime.watch(this);
    }

    static AddressHandle create(ProtectionDomain domain, AddressVector address) {
        Context context = domain.context();
        int maxBytes = context.queryPort(address.port()).activeMtu().bytes();
        domain.lifetime().enter("CREATE_AH");
        try {
            return new AddressHandle(
                    domain, address, context.provider().createAddressHandle(domain.handle(), address), maxBytes);
        } catch (RuntimeException e) {
            throw explain(e, domain, address);
        } finally {
            domain.lifetime().exit();
        }
    }

    private static VerbsException explain(RuntimeException fault, ProtectionDomain domain, AddressVector address) {
        Refusal refusal = Refusal.of(fault, "CREATE_AH", domain.toString());
        Context context = domain.context();
        return switch (refusal.errno) {
            case Errno.EINVAL, Errno.ENODATA ->
                refusal.rule("the address leads nowhere from here")
                        .limit(
                                address,
                                "a global route from a used slot of the GID table, to an address of the same family; "
                                        + "slots " + context.gids(address.port()))
                        .remedy("Let createAddressHandle(Endpoint) choose the slot, or take one of the peer's family")
                        .exception();
            case Errno.ENOMEM ->
                refusal.limit("one more address handle", context.query().maxAddressHandles() + " on the device")
                        .remedy("Keep one handle for each peer, and close those that are not needed")
                        .exception();
            default -> refusal.exception();
        };
    }

    /** The way to a peer's port: from the best GID that reaches it. */
    static AddressVector vector(Context context, int port, Gid destination, int lid) {
        GidEntry source = context.chooseGid(port, destination).entry();
        AddressVector roce = AddressVector.roce(destination, port, source.index());
        boolean global = lid == 0 || context.queryPort(port).linkLayer() != LinkLayer.INFINIBAND;
        return new AddressVector(
                destination,
                roce.sourceGidIndex(),
                0,
                roce.hopLimit(),
                0,
                port,
                0,
                lid,
                global,
                roce.sourcePathBits(),
                roce.rate());
    }

    /** The protection domain that it belongs to. */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** The address that it was made from. */
    public AddressVector address() {
        return address;
    }

    /** Most bytes of a datagram: the MTU of the port when it was made. */
    public int maxBytes() {
        return maxBytes;
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Gives it back (ibv_destroy_ah(3)). Idempotent. */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    /** How work requests name it. */
    int number() {
        return number;
    }

    ClosedException closed(String operation) {
        return lifetime.closed(operation);
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
