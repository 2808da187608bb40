package dev.doorbell.soft.link;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.IdentificationProbe;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a port. There are not many of them, each costs two descriptors: they go to routes that send much, and one
 * that has not sent for a while loses its own to the next that asks.
 *
 * <p>Thread rules: any thread.
 */
final class Lanes {
    static final int MOST = 32;

    private static final long IDLE_NS = 1_000_000_000L;

    private final UdpPlan plan;
    private final LinkCounters counters;
    private final List<Entry> entries = new ArrayList<>();
    private final LongSupplier clock;
    private long lookedNs;

    /** The system does not say how it numbers what it sends, or numbers it another way. */
    private boolean unsupported;

    /** A lane, and how many sends it had at the last look. */
    private static final class Entry {
        final Lane lane;
        int seen = -1;

        Entry(Lane lane) {
            this.lane = lane;
        }
    }

    /** @param clock nanoseconds from anywhere, by which lanes are idle */
    Lanes(UdpPlan plan, LinkCounters counters, LongSupplier clock) {
        this.plan = plan;
        this.counters = counters;
        this.clock = clock;
        this.lookedNs = clock.getAsLong();
    }

    /**
     * A lane.
     *
     * @param beside the socket of the port, bound to the source
     * @param peer the destination, with a scope where it needs one
     * @return null if there is none, now or at all
     */
    synchronized @Nullable Lane open(UdpSocket beside, Gid source, Gid destination, InetAddress peer) {
        if (unsupported || entries.size() == MOST && !makeRoom() || beside.isClosed()) {
            return null;
        }
        try {
            Lane lane = connect(beside, source, destination, peer);
            if (lane != null) {
                entries.add(new Entry(lane));
                counters.add(LinkCounter.LINK_LANES);
            }
            return lane;
        } catch (KernelException refused) {
            // No descriptor is left, or no way leads there at present: the port's own socket says so, to whom it
            // concerns.
            return null;
        }
    }

    private @Nullable Lane connect(UdpSocket beside, Gid source, Gid destination, InetAddress peer) {
        UdpSocket socket = UdpSocket.bind(beside.address(), 0);
        IdentificationProbe probe = null;
        Lane lane = null;
        try {
            socket.connect(peer, Icrc.PORT);
            socket.onlySend(plan.bufferBytes());
            socket.setHopLimit(IpFields.HOPS);
            if (!plan.segmentation()) {
                socket.sendWithoutChecksum();
            }
            int first = 0;
            if (source.isIpv4Mapped()) {
                probe = new IdentificationProbe(socket);
                first = probe.learn(plan.segmentation());
                unsupported = first == IdentificationProbe.UNKNOWN;
            }
            if (!unsupported) {
                SentHeaders headers = SentHeaders.connected(source, destination, socket.port(), first);
                lane = new Lane(this, beside, socket, headers, probe);
            }
            return lane;
        } finally {
            if (lane == null) {
                socket.close();
                if (probe != null) {
                    probe.close();
                }
            }
        }
    }

    /** Takes the lane of whoever has not used it since the last look, which was long ago. */
    private boolean makeRoom() {
        long now = clock.getAsLong();
        if (now - lookedNs < IDLE_NS) {
            return false;
        }
        lookedNs = now;
        List<Entry> idle = entries.stream()
                .filter(entry -> entry.seen == entry.lane.sends())
                .toList();
        idle.forEach(entry -> entry.lane.close());
        entries.removeAll(idle);
        entries.forEach(entry -> entry.seen = entry.lane.sends());
        return !idle.isEmpty();
    }

    /** Gives a lane back. */
    synchronized void close(Lane lane) {
        lane.close();
        entries.removeIf(entry -> entry.lane == lane);
    }

    /** The system has changed its way of numbering. */
    synchronized void distrust() {
        unsupported = true;
    }

    /** Gives all lanes back; their owners find out when they send. */
    synchronized void closeAll() {
        entries.forEach(entry -> entry.lane.close());
        entries.clear();
    }
}
