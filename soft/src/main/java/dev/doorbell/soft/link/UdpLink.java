package dev.doorbell.soft.link;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A device's attachment to the IP network: RoCEv2 on UDP port 4791. Sockets are bound while somebody uses the device,
 * see {@link #attach()}.
 *
 * <p>Where the port cannot be had the link joins an in-memory network instead, in which it meets the other devices of
 * this process to which the same happened.
 *
 * <p>What a sender collected is sent by {@link Transmitter#flush()}; nothing is asked of the system before that, and
 * nothing at all on behalf of queue pairs whose peer is on the same device.
 */
public final class UdpLink implements PacketLink {
    private static final int BUFFER_BYTES = (1 << 16) + 8192;

    private final UdpPlan plan;
    private final InMemoryNetwork local;
    private final LinkCounters counters = new LinkCounters();
    private final Watch watch = new Watch();
    private final SpinLock receiving = new SpinLock();
    private volatile Runnable arrival = () -> {};

    /** What carries packets now; replaced as a whole, under this object's lock. */
    private volatile Attachment attachment;

    /** What runs when the reach has changed. */
    private volatile Runnable stateChange = () -> {};

    /** Tells of the host's addresses while a carrier is attached; guarded by this. */
    private HostAddresses.@Nullable Watch changes;

    /**
     * How the link is attached. At most one of carrier and neighbour is there.
     *
     * @param addresses where it receives, or will
     * @param how what it is, and why, where there are no sockets
     * @param carrier sockets
     * @param neighbour the way to other devices of this process, where there are no sockets
     */
    private record Attachment(
            List<InetAddress> addresses,
            LinkReach reach,
            String how,
            @Nullable Sending carrier,
            @Nullable InMemoryLink neighbour) {
        Attachment reaching(LinkReach next) {
            return new Attachment(addresses, next, how, carrier, neighbour);
        }
    }

    /** A carrier and what its senders share, which is made when there is a first one. */
    private static final class Sending {
        final UdpCarrier carrier;
        private @Nullable SendBuffers buffers;
        private volatile boolean needed;

        Sending(UdpCarrier carrier) {
            this.carrier = carrier;
        }

        synchronized SendBuffers buffers() {
            SendBuffers made = buffers;
            if (made == null) {
                made = new SendBuffers(BUFFER_BYTES);
                buffers = made;
                needed = true;
            }
            return made;
        }
    }

    /**
     * A link that is not attached.
     *
     * @param local where it is attached if the port cannot be had
     */
    public UdpLink(UdpPlan plan, InMemoryNetwork local) {
        this.plan = plan;
        this.local = local;
        this.attachment = detached(plan.candidates().getFirst());
    }

    private static Attachment detached(List<InetAddress> addresses) {
        return new Attachment(
                addresses,
                LinkReach.of(addresses, LocalAddresses.mtu(addresses)),
                "UDP port 4791, bound when the device is opened",
                null,
                null);
    }

    @Override
    public synchronized Optional<List<Gid>> attach() {
        UdpBinding binding = new UdpBinding(plan, counters);
        binding.bind();
        List<InetAddress> addresses = binding.addresses;
        UdpCarrier carrier = binding.carrier;
        if (carrier == null) {
            LinkReach everywhere = LinkReach.of(addresses, Mtu.MTU_4096);
            String how = "local only, " + binding.refusal;
            attachment = new Attachment(addresses, everywhere, how, null, joinNeighbours(addresses));
        } else {
            // Listens first and looks then, so that no change is missed.
            changes = plan.host().watch(this::follow);
            LinkReach unseen = LinkReach.of(addresses, Mtu.MTU_1024);
            attachment = look(new Attachment(addresses, unseen, "", new Sending(carrier), null), carrier);
        }
        return Optional.of(gids(addresses));
    }

    /** The host's addresses may have changed. */
    private void follow() {
        synchronized (this) {
            Attachment now = attachment;
            Sending sending = now.carrier();
            if (sending == null) {
                return;
            }
            Attachment next = look(now, sending.carrier);
            attachment = next;
            if (next.reach().equals(now.reach())) {
                return;
            }
            counters.tooLong(null);
        }
        stateChange.run();
    }

    /** Finds out where the addresses are, and makes the best of it. */
    private Attachment look(Attachment now, UdpCarrier carrier) {
        List<Optional<Place>> places = now.addresses().stream()
                .map(address -> Optional.ofNullable(plan.host().find(address)))
                .toList();
        List<Optional<String>> refusals = carrier.follow(places);
        HostAddresses.Watch telling = changes;
        if (telling != null && refusals.stream().anyMatch(Optional::isPresent)) {
            // Nobody tells when another process lets go of the port.
            telling.runAgain();
        }
        return now.reaching(
                LinkReach.of(now.addresses(), places, refusals, now.reach().mtu()));
    }

    private @Nullable InMemoryLink joinNeighbours(List<InetAddress> addresses) {
        try {
            InMemoryLink link = local.join(gids(addresses));
            link.onArrival(() -> arrival.run());
            return link;
        } catch (IllegalArgumentException taken) {
            // Another network of this process has a device with this address: the device reaches itself only.
            return null;
        }
    }

    private static String text(List<InetAddress> addresses) {
        return addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    }

    private static List<Gid> gids(List<InetAddress> addresses) {
        return addresses.stream().map(Gid::of).toList();
    }

    @Override
    public synchronized void detach() {
        Attachment before = attachment;
        attachment = detached(before.addresses());
        HostAddresses.Watch telling = changes;
        if (telling != null) {
            changes = null;
            telling.close();
        }
        if (before.carrier() != null) {
            before.carrier().carrier.close();
        }
        if (before.neighbour() != null) {
            before.neighbour().close();
        }
    }

    @Override
    public List<Gid> addresses() {
        return gids(attachment.addresses());
    }

    @Override
    public Mtu activeMtu() {
        return attachment.reach().mtu();
    }

    @Override
    public boolean isUp() {
        return attachment.reach().up();
    }

    @Override
    public boolean has(Gid address) {
        return attachment.reach().present().contains(address);
    }

    @Override
    public void onStateChange(Runnable action) {
        stateChange = action;
    }

    @Override
    public String state() {
        Attachment now = attachment;
        Sending sending = now.carrier();
        if (sending == null) {
            return now.how();
        }
        LinkReach reach = now.reach();
        Gid tooLong = counters.tooLongFor();
        return "UDP " + text(now.addresses()) + " port 4791, "
                + (reach.up() ? "" : "down: ")
                + (reach.trouble().isEmpty() ? "" : reach.trouble() + ", ")
                + (tooLong == null ? "" : "packets are longer than the path to " + tooLong + " takes, ")
                + sending.carrier.description();
    }

    @Override
    public int maxPacketBytes() {
        return InMemoryLink.MAX_PACKET_BYTES;
    }

    @Override
    public Transmitter newTransmitter() {
        Attachment now = attachment;
        Sending sending = now.carrier();
        if (sending == null) {
            InMemoryLink neighbour = now.neighbour();
            return neighbour == null ? new Silence(counters) : neighbour.newTransmitter();
        }
        Transmitter transmitter = new UdpTransmitter(
                sending.buffers(), sending.carrier.ports(), sending.carrier.segmentation(), counters, maxPacketBytes());
        // From now on somebody must watch the sockets.
        arrival.run();
        return transmitter;
    }

    @Override
    public void listen() {
        Sending sending = attachment.carrier();
        if (sending != null) {
            sending.buffers();
            sending.carrier.tellFields();
            arrival.run();
        }
    }

    @Override
    public boolean isUsed() {
        Attachment now = attachment;
        Sending sending = now.carrier();
        return sending == null ? now.neighbour() != null : sending.needed;
    }

    @Override
    public boolean hasPackets() {
        Attachment now = attachment;
        Sending sending = now.carrier();
        if (sending != null) {
            return sending.carrier.hasPackets();
        }
        InMemoryLink neighbour = now.neighbour();
        return neighbour != null && neighbour.hasPackets();
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        Attachment now = attachment;
        Sending sending = now.carrier();
        if (sending == null) {
            InMemoryLink neighbour = now.neighbour();
            return neighbour == null ? 0 : neighbour.receive(sink, nowNs, limit);
        }
        if (!sending.needed || !receiving.tryLock()) {
            return 0;
        }
        try {
            return sending.carrier.receive(sink, limit);
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public @Nullable Gid route(Gid destination, int scope) {
        Attachment now = attachment;
        InMemoryLink neighbour = now.neighbour();
        if (neighbour != null) {
            return neighbour.route(destination, scope);
        }
        InetAddress own = now.carrier() == null ? null : SystemRoutes.source(now.addresses(), destination, scope);
        return own == null ? null : Gid.of(own);
    }

    @Override
    public void onArrival(Runnable wakeUp) {
        arrival = wakeUp;
    }

    @Override
    public void join(Gid group) {
        Attachment now = attachment;
        if (now.carrier() != null) {
            now.carrier().carrier.join(group);
        } else if (now.neighbour() != null) {
            now.neighbour().join(group);
        }
    }

    @Override
    public void leave(Gid group) {
        Attachment now = attachment;
        if (now.carrier() != null) {
            now.carrier().carrier.leave(group);
        } else if (now.neighbour() != null) {
            now.neighbour().leave(group);
        }
    }

    @Override
    public PacketWatch watch() {
        return watch;
    }

    /** The sockets of the present attachment. */
    private final class Watch implements PacketWatch {
        @Override
        public boolean isNeeded() {
            Sending sending = attachment.carrier();
            return sending != null && sending.needed;
        }

        @Override
        public boolean offers(Seat seat) {
            Sending sending = attachment.carrier();
            return sending != null && sending.carrier.offers(seat);
        }

        @Override
        public void await(Seat seat, long timeoutNs) {
            Sending sending = attachment.carrier();
            if (sending != null) {
                sending.carrier.await(seat, timeoutNs);
            }
        }

        @Override
        public void wake(Seat seat) {
            Sending sending = attachment.carrier();
            if (sending != null) {
                sending.carrier.wake(seat);
            }
        }
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> totals = new TreeMap<>();
        counters.addTo(totals);
        Sending sending = attachment.carrier();
        if (sending != null) {
            sending.carrier.addCounters(totals);
        }
        return totals;
    }

    @Override
    public void close() {
        detach();
    }
}
