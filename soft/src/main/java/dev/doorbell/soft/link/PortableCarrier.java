package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets by Java's datagram channels, one a call, over IPv4: JDK options for IPv6 sockets do not reach what
 * RoCEv2 needs there. Works on every system; slower than {@link LinuxCarrier}.
 *
 * <p>Channels never block, so interrupting a thread does not close them. Only the device's own thread, which nobody
 * interrupts, sleeps in the selector.
 */
final class PortableCarrier implements UdpCarrier {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long NS_PER_MS = 1_000_000;
    private static final long LOOK_AGAIN_NS = 10 * NS_PER_MS;

    private final List<PortablePort> ports;

    /** Channels to receive from: those of the ports, then the multicast groups. Replaced under this object's lock. */
    private volatile List<Source> sources;

    /** Multicast groups to receive; guarded by this. */
    private final Set<Gid> groups = new LinkedHashSet<>();

    private final Selector selector;
    private final String description;
    private final LinkCounters counters;
    private final MemorySegment memory = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
    private final ByteBuffer buffer = memory.asByteBuffer();
    private final InboundCheck check;

    /** A channel to receive from, with the address that it is bound to. */
    private record Source(DatagramChannel channel, Gid gid) {}

    private PortableCarrier(List<PortablePort> ports, Selector selector, LinkCounters counters, String description) {
        this.ports = List.copyOf(ports);
        this.sources = portSources();
        this.selector = selector;
        this.counters = counters;
        this.description = description;
        this.check = new InboundCheck(memory, counters);
    }

    /**
     * Binds all addresses that this host has. The others are waited for.
     *
     * @param why what speaks for this carrier
     * @throws BindException if one of them cannot be bound; then none is
     */
    static PortableCarrier bind(List<InetAddress> addresses, UdpPlan plan, LinkCounters counters, String why)
            throws IOException {
        List<PortablePort> ports = new ArrayList<>();
        Selector selector = Selector.open();
        try {
            for (InetAddress address : addresses) {
                if (!(address instanceof Inet4Address)) {
                    throw new BindException(address.getHostAddress() + " is not IPv4, which is all that it carries");
                }
                PortablePort port = new PortablePort(address, plan, selector);
                port.open();
                ports.add(port);
            }
            return new PortableCarrier(ports, selector, counters, "portable datagram channels: " + why);
        } catch (IOException refused) {
            selector.close();
            for (PortablePort port : ports) {
                port.close();
            }
            throw refused;
        }
    }

    private List<Source> portSources() {
        List<Source> bound = new ArrayList<>();
        for (PortablePort port : ports) {
            DatagramChannel channel = port.channel();
            if (channel != null) {
                bound.add(new Source(channel, port.gid()));
            }
        }
        return List.copyOf(bound);
    }

    @Override
    public synchronized List<Optional<String>> follow(List<Optional<Place>> places) {
        List<Optional<String>> refusals = new ArrayList<>();
        boolean moved = false;
        for (int index = 0; index < ports.size(); index++) {
            PortablePort port = ports.get(index);
            int before = port.interfaceIndex();
            refusals.add(Optional.ofNullable(port.follow(places.get(index).orElse(null))));
            moved |= port.interfaceIndex() != before;
        }
        if (moved) {
            // Groups are joined on an interface, and that is another one now.
            List<Source> old = sources;
            sources = portSources();
            old.stream().filter(source -> source.gid().isMulticast()).forEach(PortableCarrier::close);
        }
        for (Gid group : groups) {
            rejoin(group);
        }
        selector.wakeup();
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
        return Segmentation.NONE;
    }

    /** Java's channels do not show them. */
    @Override
    public void tellFields() {}

    @Override
    public boolean hasPackets() {
        return false;
    }

    @Override
    public int receive(PacketSink sink, int limit) {
        int count = 0;
        for (Source source : sources) {
            while (count < limit && receive(source, sink)) {
                count++;
            }
        }
        return count;
    }

    private boolean receive(Source from, PacketSink sink) {
        try {
            SocketAddress name = from.channel().receive(buffer.clear());
            counters.add(LinkCounter.LINK_RECEIVES);
            if (!(name instanceof InetSocketAddress sender)) {
                return false;
            }
            Gid source = Gid.of(sender.getAddress());
            if (from.gid().isMulticast() && isOwn(source)) {
                return true;
            }
            check.begin(source.high(), source.low(), sender.getPort(), from.gid());
            check.deliver(0, buffer.position(), sink);
            return true;
        } catch (IOException closedOrRefused) {
            return false;
        }
    }

    private boolean isOwn(Gid source) {
        for (PortablePort port : ports) {
            if (port.gid().equals(source)) {
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
        NetworkInterface through =
                LocalAddresses.interfaceOf(ports.getFirst().gid().toInetAddress());
        if (!group.isIpv4Mapped() || through == null || find(group) != null) {
            return;
        }
        try {
            List<Source> more = new ArrayList<>(sources);
            more.add(new Source(openGroup(group, through), group));
            sources = List.copyOf(more);
            // Whoever sleeps in the selector does not see what was registered since.
            selector.wakeup();
        } catch (IOException e) {
            throw new KernelException(Errno.EIO, "multicast group " + group + ": " + e.getMessage());
        }
    }

    private DatagramChannel openGroup(Gid group, NetworkInterface through) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(group.toInetAddress(), Icrc.PORT));
            channel.join(group.toInetAddress(), through);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return channel;
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    @Override
    public synchronized void leave(Gid group) {
        groups.remove(group);
        Source left = find(group);
        if (left != null) {
            List<Source> fewer = new ArrayList<>(sources);
            fewer.remove(left);
            sources = List.copyOf(fewer);
            close(left);
            // The system lets go of a channel when its selector looks.
            selector.wakeup();
        }
    }

    private @Nullable Source find(Gid group) {
        for (Source source : sources) {
            if (source.gid().equals(group)) {
                return source;
            }
        }
        return null;
    }

    private static void close(Source source) {
        try {
            source.channel().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean offers(PacketWatch.Seat seat) {
        return seat == PacketWatch.Seat.BACKGROUND;
    }

    @Override
    public void await(PacketWatch.Seat seat, long timeoutNs) {
        try {
            if (selector.isOpen()) {
                selector.select(timeoutMs(timeoutNs));
                selector.selectedKeys().clear();
            }
        } catch (IOException broken) {
            // The device's own thread must neither die of it nor spin: it looks again after a while, as for a timer.
            LockSupport.parkNanos(Math.min(timeoutNs, LOOK_AGAIN_NS));
        } catch (ClosedSelectorException closed) {
            // The link went down while this thread was about to sleep.
        }
    }

    /** In a selector's milliseconds, of which 0 is for ever. A part of one counts as one: an early return would spin. */
    static long timeoutMs(long timeoutNs) {
        return timeoutNs == Long.MAX_VALUE ? 0 : Math.max(1, Math.ceilDiv(timeoutNs, NS_PER_MS));
    }

    @Override
    public void wake(PacketWatch.Seat seat) {
        selector.wakeup();
    }

    @Override
    public void addCounters(Map<String, Long> totals) {}

    @Override
    public String description() {
        return description;
    }

    @Override
    public void close() {
        try {
            sources.forEach(PortableCarrier::close);
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
