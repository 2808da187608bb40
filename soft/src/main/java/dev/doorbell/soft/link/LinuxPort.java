package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address of a {@link LinuxCarrier}, and the socket that is bound to it. A socket outlives its address: when that
 * comes back on the same interface it works as before; on another one it is made anew.
 *
 * <p>Thread rules: one thread at a time binds and follows; any thread sends.
 */
final class LinuxPort implements DatagramPort {
    private final InetAddress address;
    private final Gid gid;
    private final UdpPlan plan;
    private final Lanes lanes;

    /** Null while the address cannot be bound. */
    private volatile @Nullable UdpSocket socket;

    /** The same, unless the address or its interface is down. */
    private volatile @Nullable UdpSocket sending;

    // Read for people, by any thread.
    private volatile int interfaceIndex;
    private volatile int receiveBuffer;

    LinuxPort(InetAddress address, UdpPlan plan, LinkCounters counters) {
        this.address = address;
        this.gid = Gid.of(address);
        this.plan = plan;
        this.lanes = new Lanes(plan, counters, System::nanoTime);
    }

    /**
     * Binds the address if the host has it. One that it does not have is waited for, see {@link #follow}; but not one of
     * the loopback network, which hosts have or never will.
     *
     * @throws KernelException with the errno
     */
    void open() {
        Place place = plan.host().find(address);
        boolean mayWait = !address.isLoopbackAddress();
        if (place == null && mayWait) {
            return;
        }
        try {
            bind(place == null ? 0 : place.index());
        } catch (KernelException refused) {
            if (!mayWait || refused.errno() != Errno.EADDRNOTAVAIL) {
                throw refused;
            }
        }
    }

    private void bind(int index) {
        UdpSocket bound = UdpSocket.bind(LocalAddresses.scoped(address, index), Icrc.PORT);
        receiveBuffer = bound.setBuffers(plan.bufferBytes());
        bound.sendGroupsThrough(index);
        bound.setHopLimit(IpFields.HOPS);
        if (!plan.segmentation()) {
            bound.sendWithoutChecksum();
        }
        interfaceIndex = index;
        socket = bound;
        sending = bound;
    }

    /**
     * Adapts to where the address is now.
     *
     * @return why it cannot be bound; null if nothing stands against it
     */
    @Nullable
    String follow(@Nullable Place place) {
        if (place == null) {
            sending = null;
            return null;
        }
        if (mustBind(place)) {
            close();
            try {
                bind(place.index());
            } catch (KernelException refused) {
                return refused.errno() == Errno.EADDRINUSE ? "port 4791 held" : Errno.name(refused.errno());
            }
        }
        sending = place.up() ? socket : null;
        return null;
    }

    /** Whether {@link #follow} will bind a socket, and close the present one: nobody may sleep there then. */
    boolean mustBind(@Nullable Place place) {
        return place != null && (socket == null || place.index() != interfaceIndex);
    }

    @Override
    public Gid gid() {
        return gid;
    }

    /** The bound socket; null if there is none. */
    @Nullable
    UdpSocket socket() {
        return socket;
    }

    /** The socket to send through; null while the address or its interface is down. */
    @Nullable
    UdpSocket sending() {
        return sending;
    }

    Lanes lanes() {
        return lanes;
    }

    /** The interface of the bound socket; 0 if it is not known. */
    int interfaceIndex() {
        return interfaceIndex;
    }

    /** Bytes of the bound socket's receive buffer, as the kernel counts. */
    int receiveBuffer() {
        return receiveBuffer;
    }

    @Override
    public @Nullable Route route(Gid to) {
        return to.isIpv4Mapped() == gid.isIpv4Mapped() ? new LinuxRoute(this, to) : null;
    }

    /** Gives the socket back. */
    void close() {
        UdpSocket bound = socket;
        sending = null;
        socket = null;
        if (bound != null) {
            bound.close();
        }
        lanes.closeAll();
    }
}
