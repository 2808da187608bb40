package dev.doorbell.soft.link;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.DescriptorWait;
import dev.doorbell.linux.syscall.IncomingMessages;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries packets by system calls of Linux: several datagrams in one send, several messages in one receive. */
final class LinuxCarrier implements UdpCarrier {
    private static final int MESSAGES = 8;

    private final List<LinuxPort> ports;

    /** Sockets to receive from: those of the ports, then the multicast groups. Replaced under this object's lock. */
    private volatile List<ReceivingSocket> sources;

    /** Multicast groups to receive; guarded by this. */
    private final Set<Gid> groups = new LinkedHashSet<>();

    private final Segmentation segmentation;
    private final boolean joins;
    private final LinkCounters counters;
    private final IncomingMessages messages = new IncomingMessages(MESSAGES);
    private final InboundCheck check;
    private final DescriptorWait background;
    private final DescriptorWait waiter;

    // What was received and not handed on yet: written by whoever receives.
    private int received;
    private int message;
    private long next;
    private long end;
    private int segmentBytes;
    private int nextSource;

    /** How many messages to ask for: as many as came, and twice as many where all came that were asked for. */
    private int asking = 1;

    private Gid destination = Gid.ZERO;
    private volatile boolean leftOver;

    /** Whether the sink is told what headers say. Written under this object's lock. */
    private volatile boolean tellingFields;

    /**
     * @param segments whether sends are cut into datagrams
     * @param joins whether the system may be asked to join what arrives
     */
    private LinuxCarrier(List<LinuxPort> ports, boolean segments, boolean joins, LinkCounters counters) {
        this.joins = joins;
        this.segmentation = segments ? Segmentation.ASKED_FOR : Segmentation.NONE;
        this.counters = counters;
        this.check = new InboundCheck(messages.data(), counters);
        this.ports = List.copyOf(ports);
        this.sources = portSources();
        List<UdpSocket> sockets = sources.stream().map(source -> source.socket).toList();
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
     * Binds all addresses that this host has. The others are waited for.
     *
     * @throws KernelException if one of them cannot be bound; then none is
     */
    static LinuxCarrier bind(List<InetAddress> addresses, UdpPlan plan, LinkCounters counters) {
        List<LinuxPort> ports = new ArrayList<>();
        try {
            boolean segments = plan.segmentation();
            for (InetAddress address : addresses) {
                LinuxPort port = new LinuxPort(address, plan, counters);
                ports.add(port);
                port.open();
                UdpSocket socket = port.socket();
                segments &= socket == null || socket.canSegment();
            }
            return new LinuxCarrier(ports, segments, plan.segmentation(), counters);
        } catch (KernelException refused) {
            ports.forEach(LinuxPort::close);
            throw refused;
        }
    }

    private List<ReceivingSocket> portSources() {
        List<ReceivingSocket> bound = new ArrayList<>();
        for (LinuxPort port : ports) {
            UdpSocket socket = port.socket();
            if (socket != null) {
                bound.add(source(socket, port.gid()));
            }
        }
        return List.copyOf(bound);
    }

    private ReceivingSocket source(UdpSocket socket, Gid gid) {
        if (tellingFields) {
            socket.receiveHeaderFields();
        }
        return new ReceivingSocket(socket, gid, joins);
    }

    @Override
    public synchronized void tellFields() {
        if (!tellingFields) {
            tellingFields = true;
            sources.forEach(source -> source.socket.receiveHeaderFields());
        }
    }

    @Override
    public synchronized List<Optional<String>> follow(List<Optional<Place>> places) {
        List<ReceivingSocket> before = sources;
        boolean rebinding = false;
        for (int index = 0; index < ports.size(); index++) {
            rebinding |= ports.get(index).mustBind(places.get(index).orElse(null));
        }
        if (rebinding) {
            // Nobody sleeps at a socket any more, which could not be closed meanwhile.
            receiveFrom(List.of());
        }
        List<Optional<String>> refusals = new ArrayList<>();
        for (int index = 0; index < ports.size(); index++) {
            refusals.add(Optional.ofNullable(
                    ports.get(index).follow(places.get(index).orElse(null))));
        }
        if (rebinding) {
            // Groups are joined on an interface, and that is another one now.
            before.stream().filter(source -> source.gid.isMulticast()).forEach(source -> source.socket.close());
            receiveFrom(portSources());
        }
        for (Gid group : groups) {
            rejoin(group);
        }
        return refusals;
    }

    private void rejoin(Gid group) {
        try {
            joinWhereBound(group);
        } catch (KernelException refused) {
            // The interface may not be ready. Whatever makes it so is told.
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
                if (tellingFields) {
                    sink.header(fields(messages.headerFields(message)));
                }
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

    private static long fields(long header) {
        return header == IncomingMessages.NO_FIELDS
                ? IpFields.USUAL
                : IpFields.of((int) (header >>> 20) & 0xff, (int) header & 0xf_ffff, (int) (header >>> 32));
    }

    /** Asks the sockets in turn; true if there may be more where this came from. */
    private boolean refill() {
        messages.recycle(received);
        received = 0;
        message = -1;
        List<ReceivingSocket> asked = sources;
        int most = asking;
        for (int count = 0; count < asked.size(); count++) {
            nextSource = nextSource + 1 < asked.size() ? nextSource + 1 : 0;
            ReceivingSocket source = asked.get(nextSource);
            int result = source.receive(messages, most, tellingFields);
            counters.received(LinkCounter.LINK_RECEIVES);
            if (result > 0) {
                received = result;
                destination = source.gid;
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
        joinWhereBound(group);
        groups.add(group);
    }

    private void joinWhereBound(Gid group) {
        for (LinuxPort port : ports) {
            if (port.socket() != null && port.gid().isIpv4Mapped() == group.isIpv4Mapped() && find(group) == null) {
                int index = port.interfaceIndex();
                UdpSocket socket = UdpSocket.join(LocalAddresses.group(group, index), index, Icrc.PORT);
                List<ReceivingSocket> more = new ArrayList<>(sources);
                more.add(source(socket, group));
                receiveFrom(more);
            }
        }
    }

    @Override
    public synchronized void leave(Gid group) {
        groups.remove(group);
        ReceivingSocket left = find(group);
        if (left != null) {
            List<ReceivingSocket> fewer = new ArrayList<>(sources);
            fewer.remove(left);
            receiveFrom(fewer);
            left.socket.close();
        }
    }

    private @Nullable ReceivingSocket find(Gid group) {
        for (ReceivingSocket source : sources) {
            if (source.gid.equals(group)) {
                return source;
            }
        }
        return null;
    }

    private void receiveFrom(List<ReceivingSocket> changed) {
        sources = List.copyOf(changed);
        List<UdpSocket> sockets = changed.stream().map(source -> source.socket).toList();
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
        for (ReceivingSocket source : sources) {
            drops += source.socket.drops();
        }
        if (drops > 0) {
            totals.merge(LinkCounter.DROPPED_RECEIVE_BUFFER_FULL.label(), drops, Long::sum);
        }
    }

    @Override
    public String description() {
        String how = "Linux system calls, " + (segmentation == Segmentation.NONE ? "without" : "with")
                + " segmentation offload";
        OptionalInt buffer = ports.stream()
                .filter(port -> port.socket() != null)
                .mapToInt(LinuxPort::receiveBuffer)
                .min();
        return buffer.isPresent() ? how + ", receive buffer " + (buffer.getAsInt() >> 10) + " KiB" : how;
    }

    @Override
    public void close() {
        background.release();
        waiter.release();
        sources.forEach(source -> source.socket.close());
        ports.forEach(LinuxPort::close);
        background.close();
        waiter.close();
    }
}
