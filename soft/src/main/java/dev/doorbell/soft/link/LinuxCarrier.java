package dev.doorbell.soft.link;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.DescriptorWait;
import dev.doorbell.linux.syscall.IncomingMessages;
import dev.doorbell.linux.syscall.OutgoingMessage;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries packets by system calls of Linux: several datagrams in one send, several messages in one receive. */
final class LinuxCarrier implements UdpCarrier {
    private static final int MESSAGES = 8;

    private final List<Port> ports;

    /** Sockets to receive from: the ports, then the multicast groups. Replaced under this object's lock. */
    private volatile List<Port> sources;

    private final Segmentation segmentation;
    private final LinkCounters counters;
    private final IncomingMessages messages = new IncomingMessages(MESSAGES);
    private final InboundCheck check;
    private final DescriptorWait background;
    private final DescriptorWait waiter;
    private final String description;

    // What was received and not handed on yet: written by whoever receives.
    private int received;
    private int message;
    private long next;
    private long end;
    private int segmentBytes;
    private int nextPort;

    /** How many messages to ask for: as many as came, and twice as many where all came that were asked for. */
    private int asking = 1;

    private Gid destination = Gid.ZERO;
    private volatile boolean leftOver;

    /** A bound socket. */
    private record Port(UdpSocket socket, Gid gid, int stripe) implements DatagramPort {
        @Override
        public @Nullable Route route(Gid to) {
            if (to.isIpv4Mapped() != gid.isIpv4Mapped()) {
                return null;
            }
            OutgoingMessage outgoing = new OutgoingMessage(scoped(to), Icrc.PORT);
            int own = socket.nextStripe();
            return (memory, at, length, segmentBytes) -> socket.send(own, outgoing, memory, at, length, segmentBytes);
        }

        /** A link-local destination is on the interface that the source is on. */
        private InetAddress scoped(Gid to) {
            return to.isLinkLocal() ? LocalAddresses.onInterfaceOf(socket.address(), to) : to.toInetAddress();
        }
    }

    private LinuxCarrier(List<UdpSocket> sockets, boolean segments, LinkCounters counters, String description) {
        this.segmentation = segments ? Segmentation.ASKED_FOR : Segmentation.NONE;
        this.counters = counters;
        this.check = new InboundCheck(messages.data(), counters);
        this.description = description;
        this.ports = sockets.stream()
                .map(socket -> new Port(socket, Gid.of(socket.address()), socket.nextStripe()))
                .toList();
        this.sources = ports;
        this.background = new DescriptorWait(sockets);
        this.waiter = another(sockets, background);
    }

    /** A second wait beside a first, which is given back if there is no second. */
    private static DescriptorWait another(List<UdpSocket> sockets, DescriptorWait first) {
        try {
            return new DescriptorWait(sockets);
        } catch (KernelException refused) {
            first.close();
            throw refused;
        }
    }

    /**
     * Binds all addresses.
     *
     * @throws KernelException if one of them cannot be bound; then none is
     */
    static LinuxCarrier bind(List<InetAddress> addresses, UdpPlan plan, LinkCounters counters) {
        List<UdpSocket> sockets = new ArrayList<>();
        try {
            boolean offload = plan.segmentation();
            int buffer = Integer.MAX_VALUE;
            for (InetAddress address : addresses) {
                UdpSocket socket = UdpSocket.bind(address, Icrc.PORT);
                sockets.add(socket);
                buffer = Math.min(buffer, socket.setBuffers(plan.bufferBytes()));
                offload &= socket.canSegment();
                socket.sendGroupsThrough(LocalAddresses.interfaceIndex(address));
                if (plan.segmentation()) {
                    socket.receiveTogether();
                }
            }
            String how = "Linux system calls, " + (offload ? "with" : "without")
                    + " segmentation offload, receive buffer " + (buffer >> 10) + " KiB";
            return new LinuxCarrier(sockets, offload, counters, how);
        } catch (KernelException refused) {
            sockets.forEach(UdpSocket::close);
            throw refused;
        }
    }

    @Override
    public List<? extends DatagramPort> ports() {
        return ports;
    }

    @Override
    public Segmentation segmentation() {
        return segmentation;
    }

    @Override
    public boolean hasPackets() {
        return leftOver;
    }

    @Override
    public int receive(PacketSink sink, int limit) {
        int count = 0;
        boolean askedAll = false;
        while (count < limit) {
            if (next < end) {
                int bytes = (int) Math.min(segmentBytes, end - next);
                check.deliver(next, bytes, sink);
                next += bytes;
                count++;
            } else if (message + 1 < received) {
                open(message + 1);
            } else if (askedAll) {
                break;
            } else {
                askedAll = !refill();
            }
        }
        boolean more = next < end || message + 1 < received;
        if (leftOver != more) {
            leftOver = more;
        }
        return count;
    }

    /** Asks the sockets in turn; true if there may be more where this came from. */
    private boolean refill() {
        messages.recycle(received);
        received = 0;
        message = -1;
        List<Port> asked = sources;
        int most = asking;
        for (int count = 0; count < asked.size(); count++) {
            nextPort = nextPort + 1 < asked.size() ? nextPort + 1 : 0;
            Port port = asked.get(nextPort);
            int result = port.socket().receive(port.stripe(), messages, most);
            counters.add(LinkCounter.LINK_RECEIVES);
            if (result > 0) {
                received = result;
                destination = port.gid();
                asking = result == most ? Math.min(2 * most, MESSAGES) : result;
                // A single message often comes alone: whoever polls gets on with it before it asks for the next.
                return (result == most && most > 1) || asked.size() > 1;
            }
        }
        asking = 1;
        return false;
    }

    private void open(int index) {
        message = index;
        next = messages.offset(index);
        int length = messages.length(index);
        end = next + length;
        int segment = messages.segmentSize(index);
        segmentBytes = segment > 0 ? segment : Math.max(length, 1);
        if (messages.isTruncated(index)) {
            counters.add(LinkCounter.DROPPED_TRUNCATED);
            end = next;
        } else if (length == 0) {
            counters.add(LinkCounter.DROPPED_TOO_SHORT);
        } else if (destination.isMulticast() && isOwn(messages.sourceHigh(index), messages.sourceLow(index))) {
            // The system hands a host's own datagrams to its group sockets; the device has had this one by copy.
            end = next;
        } else {
            check.begin(messages.sourceHigh(index), messages.sourceLow(index), messages.sourcePort(index), destination);
        }
    }

    private boolean isOwn(long high, long low) {
        for (int index = 0; index < ports.size(); index++) {
            Gid own = ports.get(index).gid();
            if (own.low() == low && own.high() == high) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized void join(Gid group) {
        for (Port port : ports) {
            if (port.gid().isIpv4Mapped() == group.isIpv4Mapped() && find(group) == null) {
                int index = LocalAddresses.interfaceIndex(port.socket().address());
                UdpSocket socket = UdpSocket.join(group.toInetAddress(), index, Icrc.PORT);
                socket.receiveTogether();
                List<Port> more = new ArrayList<>(sources);
                more.add(new Port(socket, group, socket.nextStripe()));
                receiveFrom(more);
            }
        }
    }

    @Override
    public synchronized void leave(Gid group) {
        Port left = find(group);
        if (left != null) {
            List<Port> fewer = new ArrayList<>(sources);
            fewer.remove(left);
            receiveFrom(fewer);
            left.socket().close();
        }
    }

    private @Nullable Port find(Gid group) {
        for (Port source : sources) {
            if (source.gid().equals(group)) {
                return source;
            }
        }
        return null;
    }

    private void receiveFrom(List<Port> changed) {
        sources = List.copyOf(changed);
        List<UdpSocket> sockets = changed.stream().map(Port::socket).toList();
        background.watch(sockets);
        waiter.watch(sockets);
    }

    @Override
    public boolean offers(PacketWatch.Seat seat) {
        return switch (seat) {
            case BACKGROUND -> true;
            // A virtual thread would take a platform thread to sleep with it.
            case WAITER -> !Thread.currentThread().isVirtual();
        };
    }

    @Override
    public void await(PacketWatch.Seat seat, long timeoutNs) {
        of(seat).await(timeoutNs);
    }

    @Override
    public void wake(PacketWatch.Seat seat) {
        of(seat).wake();
    }

    private DescriptorWait of(PacketWatch.Seat seat) {
        return switch (seat) {
            case BACKGROUND -> background;
            case WAITER -> waiter;
        };
    }

    @Override
    public void addCounters(Map<String, Long> totals) {
        long drops = 0;
        for (Port port : sources) {
            drops += port.socket().drops();
        }
        if (drops > 0) {
            totals.merge(LinkCounter.DROPPED_RECEIVE_BUFFER_FULL.label(), drops, Long::sum);
        }
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void close() {
        background.release();
        waiter.release();
        sources.forEach(port -> port.socket().close());
        background.close();
        waiter.close();
    }
}
