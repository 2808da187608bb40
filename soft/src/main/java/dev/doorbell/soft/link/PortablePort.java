package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * An address of a {@link PortableCarrier}, and the channel that is bound to it; otherwise as {@link LinuxPort}.
 *
 * <p>Thread rules: one thread at a time binds and follows; any thread sends.
 */
final class PortablePort implements DatagramPort {
    private final InetAddress address;
    private final Gid gid;
    private final UdpPlan plan;
    private final Selector selector;
    private volatile @Nullable DatagramChannel channel;

    /** The same, unless the address or its interface is down. */
    private volatile @Nullable DatagramChannel sending;

    private int interfaceIndex;

    PortablePort(InetAddress address, UdpPlan plan, Selector selector) {
        this.address = address;
        this.gid = Gid.of(address);
        this.plan = plan;
        this.selector = selector;
    }

    /**
     * Binds the address, unless it is one that the host does not have and is waited for.
     *
     * @throws BindException if it cannot be bound
     */
    void open() throws IOException {
        Place place = plan.host().find(address);
        if (place != null || address.isLoopbackAddress()) {
            bind(place == null ? 0 : place.index());
        }
    }

    private void bind(int index) throws IOException {
        DatagramChannel bound = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            dontFragment(bound);
            bound.setOption(StandardSocketOptions.SO_RCVBUF, plan.bufferBytes());
            bound.setOption(StandardSocketOptions.SO_SNDBUF, plan.bufferBytes());
            sendGroupsThrough(bound);
            bound.configureBlocking(false);
            bound.bind(new InetSocketAddress(address, Icrc.PORT));
            bound.register(selector, SelectionKey.OP_READ);
            interfaceIndex = index;
            channel = bound;
            sending = bound;
        } catch (IOException refused) {
            bound.close();
            throw refused;
        }
    }

    private void sendGroupsThrough(DatagramChannel bound) throws IOException {
        NetworkInterface through = LocalAddresses.interfaceOf(address);
        if (through != null) {
            bound.setOption(StandardSocketOptions.IP_MULTICAST_IF, through);
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

    /** See {@link LinuxPort#follow}. */
    @Nullable
    String follow(@Nullable Place place) {
        if (place == null) {
            sending = null;
            return null;
        }
        DatagramChannel bound = channel;
        try {
            if (bound == null) {
                bind(place.index());
            } else if (place.index() != interfaceIndex) {
                // IPv4 knows no scopes: the socket is as good as before. A new one could not be bound until the
                // selector looks.
                sendGroupsThrough(bound);
                interfaceIndex = place.index();
            }
        } catch (IOException refused) {
            return String.valueOf(refused.getMessage());
        }
        sending = place.up() ? channel : null;
        return null;
    }

    @Override
    public Gid gid() {
        return gid;
    }

    /** The interface of the bound channel; 0 if it is not known. */
    int interfaceIndex() {
        return interfaceIndex;
    }

    /** The bound channel; null if there is none. */
    @Nullable
    DatagramChannel channel() {
        return channel;
    }

    @Override
    public @Nullable Route route(Gid to) {
        if (!to.isIpv4Mapped()) {
            return null;
        }
        return new ChannelRoute(SentHeaders.unconnected(gid, to), new InetSocketAddress(to.toInetAddress(), Icrc.PORT));
    }

    /** The way from this port, through whatever channel it has. */
    private final class ChannelRoute implements Route {
        private final SentHeaders headers;
        private final InetSocketAddress target;

        ChannelRoute(SentHeaders headers, InetSocketAddress target) {
            this.headers = headers;
            this.target = target;
        }

        @Override
        public SentHeaders headers() {
            return headers;
        }

        @Override
        public long send(MemorySegment memory, long at, int length, int segmentBytes) {
            DatagramChannel present = sending;
            if (present == null) {
                return -Errno.ENETDOWN;
            }
            try {
                int sent = present.send(memory.asSlice(at, length).asByteBuffer(), target);
                return sent == 0 ? -Errno.EAGAIN : sent;
            } catch (ClosedChannelException e) {
                return -Errno.EBADF;
            } catch (IOException e) {
                // Java does not say which errno it was; a datagram that is too long is the likely one.
                return length > Icrc.SIZE + 1024 ? -Errno.EMSGSIZE : -Errno.ENETUNREACH;
            }
        }
    }

    /** Gives the channel back. */
    void close() throws IOException {
        DatagramChannel bound = channel;
        sending = null;
        channel = null;
        if (bound != null) {
            bound.close();
        }
    }
}
