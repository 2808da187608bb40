package dev.doorbell.soft.link;

import dev.doorbell.memory.SpinLock;
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

    /**
     * How the link is attached. At most one of carrier and neighbour is there.
     *
     * @param addresses where it receives, or will
     * @param carrier bound sockets
     * @param neighbour the way to other devices of this process, where there are no sockets
     */
    private record Attachment(
            List<InetAddress> addresses,
            Mtu mtu,
            String state,
            @Nullable Sending carrier,
            @Nullable InMemoryLink neighbour) {}

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
                addresses, LocalAddresses.mtu(addresses), "UDP port 4791, bound when the device is opened", null, null);
    }

    @Override
    public synchronized Optional<List<Gid>> attach() {
        UdpBinding binding = new UdpBinding(plan, counters);
        binding.bind();
        List<InetAddress> addresses = binding.addresses;
        UdpCarrier carrier = binding.carrier;
        if (carrier == null) {
            attachment = new Attachment(
                    addresses, Mtu.MTU_4096, "local only, " + binding.refusal, null, joinNeighbours(addresses));
        } else {
            String state = "UDP " + text(addresses) + " port 4791, " + carrier.description();
            attachment = new Attachment(addresses, LocalAddresses.mtu(addresses), state, new Sending(carrier), null);
        }
        return Optional.of(gids(addresses));
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
        return attachment.mtu();
    }

    @Override
    public String state() {
        return attachment.state();
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
