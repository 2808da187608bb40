package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
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
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private final List<Port> ports;

    /** Channels to receive from: the ports, then the multicast groups. Replaced under this object's lock. */
    private volatile List<Port> sources;

    private final Selector selector;
    private final String description;
    private final LinkCounters counters;
    private final MemorySegment memory = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
    private final ByteBuffer buffer = memory.asByteBuffer();
    private final InboundCheck check;

    /** A bound channel. */
    private record Port(DatagramChannel channel, Gid gid) implements DatagramPort {
        @Override
        public @Nullable Route route(Gid to) {
            if (!to.isIpv4Mapped()) {
                return null;
            }
            InetSocketAddress target = new InetSocketAddress(to.toInetAddress(), Icrc.PORT);
            return (memory, at, length, segmentBytes) -> {
                try {
                    int sent = channel.send(memory.asSlice(at, length).asByteBuffer(), target);
                    return sent == 0 ? -Errno.EAGAIN : sent;
                } catch (ClosedChannelException e) {
                    return -Errno.EBADF;
                } catch (IOException e) {
                    // Java does not say which errno it was; a datagram that is too long is the likely one.
                    return length > Icrc.SIZE + 1024 ? -Errno.EMSGSIZE : -Errno.ENETUNREACH;
                }
            };
        }
    }

    private PortableCarrier(List<Port> ports, Selector selector, LinkCounters counters, String description) {
        this.ports = List.copyOf(ports);
        this.sources = this.ports;
        this.selector = selector;
        this.counters = counters;
        this.description = description;
        this.check = new InboundCheck(memory, counters);
    }

    /**
     * Binds all addresses.
     *
     * @param why what speaks for this carrier
     * @throws BindException if one of them cannot be bound; then none is
     */
    static PortableCarrier bind(List<InetAddress> addresses, UdpPlan plan, LinkCounters counters, String why)
            throws IOException {
        List<Port> ports = new ArrayList<>();
        Selector selector = Selector.open();
        try {
            for (InetAddress address : addresses) {
                if (!(address instanceof Inet4Address)) {
                    throw new BindException(address.getHostAddress() + " is not IPv4, which is all that it carries");
                }
                ports.add(new Port(open(address, plan, selector), Gid.of(address)));
            }
            return new PortableCarrier(ports, selector, counters, "portable datagram channels: " + why);
        } catch (IOException refused) {
            selector.close();
            for (Port port : ports) {
                port.channel().close();
            }
            throw refused;
        }
    }

    private static DatagramChannel open(InetAddress address, UdpPlan plan, Selector selector) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            dontFragment(channel);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, plan.bufferBytes());
            channel.setOption(StandardSocketOptions.SO_SNDBUF, plan.bufferBytes());
            NetworkInterface through = LocalAddresses.interfaceOf(address);
            if (through != null) {
                channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, through);
            }
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(address, Icrc.PORT));
            channel.register(selector, SelectionKey.OP_READ);
            return channel;
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    /** The option that makes Linux send identification 0; it is the JDK's own and not on every system. */
    private static void dontFragment(DatagramChannel channel) throws IOException {
        for (var option : channel.supportedOptions()) {
            if (option.name().equals("IP_DONTFRAGMENT") && option.type() == Boolean.class) {
                @SuppressWarnings("unchecked") // by its type
                var flag = (java.net.SocketOption<Boolean>) option;
                channel.setOption(flag, true);
            }
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

    @Override
    public boolean hasPackets() {
        return false;
    }

    @Override
    public int receive(PacketSink sink, int limit) {
        int count = 0;
        for (Port port : sources) {
            while (count < limit && receive(port, sink)) {
                count++;
            }
        }
        return count;
    }

    private boolean receive(Port port, PacketSink sink) {
        try {
            SocketAddress from = port.channel().receive(buffer.clear());
            counters.add(LinkCounter.LINK_RECEIVES);
            if (!(from instanceof InetSocketAddress sender)) {
                return false;
            }
            Gid source = Gid.of(sender.getAddress());
            if (port.gid().isMulticast() && isOwn(source)) {
                return true;
            }
            check.begin(source.high(), source.low(), sender.getPort(), port.gid());
            check.deliver(0, buffer.position(), sink);
            return true;
        } catch (IOException closedOrRefused) {
            return false;
        }
    }

    private boolean isOwn(Gid source) {
        for (Port port : ports) {
            if (port.gid().equals(source)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized void join(Gid group) {
        NetworkInterface through =
                LocalAddresses.interfaceOf(ports.getFirst().gid().toInetAddress());
        if (!group.isIpv4Mapped() || through == null || find(group) != null) {
            return;
        }
        try {
            List<Port> more = new ArrayList<>(sources);
            more.add(new Port(openGroup(group, through), group));
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
        Port left = find(group);
        if (left != null) {
            List<Port> fewer = new ArrayList<>(sources);
            fewer.remove(left);
            sources = List.copyOf(fewer);
            close(left);
            // The system lets go of a channel when its selector looks.
            selector.wakeup();
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

    private static void close(Port port) {
        try {
            port.channel().close();
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
