package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.syscall.OutgoingMessage;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The way from a {@link LinuxPort} to one destination: through whatever socket the port has, or through a {@link Lane}. */
final class LinuxRoute implements DatagramPort.Route {
    /** How many sends make a route worth a lane. */
    static final int BUSY = 1 << 10;

    private static final int SENDS_UNTIL_ASKED_AGAIN = 1 << 16;

    private final LinuxPort port;
    private final Gid destination;
    private final SentHeaders headers;
    private @Nullable UdpSocket through;
    private OutgoingMessage message;
    private long fields = IpFields.USUAL;
    private int stripe;
    private @Nullable Lane lane;

    /** How many sends there are until a lane is asked for. */
    private int untilLane = BUSY;

    LinuxRoute(LinuxPort port, Gid destination) {
        this.port = port;
        this.destination = destination;
        this.headers = SentHeaders.unconnected(port.gid(), destination);
        this.message = new OutgoingMessage(destination.toInetAddress(), Icrc.PORT);
        UdpSocket present = port.sending();
        if (present != null) {
            take(present);
        }
    }

    private void take(UdpSocket present) {
        message = new OutgoingMessage(destinationFrom(present), Icrc.PORT);
        mark(fields);
        stripe = present.nextStripe();
        through = present;
    }

    /** A link-local destination is on the interface that the source is on. */
    private InetAddress destinationFrom(UdpSocket present) {
        return destination.isLinkLocal()
                ? LocalAddresses.onInterfaceOf(present.address(), destination)
                : destination.toInetAddress();
    }

    @Override
    public SentHeaders headers() {
        if (untilLane <= 0 && lane == null) {
            openLane();
        }
        Lane open = lane;
        if (open == null) {
            return headers;
        }
        if (open.isInStep()) {
            return open.headers;
        }
        closeLane(open);
        return headers;
    }

    private void openLane() {
        untilLane = SENDS_UNTIL_ASKED_AGAIN;
        UdpSocket present = port.sending();
        if (present != null && !destination.isMulticast()) {
            Lane opened = port.lanes().open(present, port.gid(), destination, destinationFrom(present));
            if (opened != null) {
                opened.mark(fields);
                lane = opened;
            }
        }
    }

    private void closeLane(Lane open) {
        port.lanes().close(open);
        lane = null;
        untilLane = BUSY;
    }

    @Override
    public void mark(long marks) {
        fields = marks;
        mark(message, marks);
        if (lane != null) {
            lane.mark(marks);
        }
    }

    /** Sets the {@link IpFields} of what a message sends. */
    static void mark(OutgoingMessage message, long marks) {
        message.mark(IpFields.trafficClass(marks), IpFields.flowLabel(marks), IpFields.hops(marks));
    }

    @Override
    public long send(MemorySegment memory, long at, int length, int segmentBytes) {
        UdpSocket present = port.sending();
        if (present == null) {
            return -Errno.ENETDOWN;
        }
        Lane open = lane;
        if (open != null) {
            return open.beside == present ? open.send(memory, at, length, segmentBytes) : -Errno.ENOTCONN;
        }
        if (present != through) {
            take(present);
        }
        untilLane--;
        return present.send(stripe, message, memory, at, length, segmentBytes);
    }

    /** Whatever a lane says but that its buffer is full, such as that nobody listens there, the port's own socket shall say. */
    @Override
    public boolean retreat(int errno) {
        Lane open = lane;
        if (open == null || errno == Errno.EAGAIN) {
            return false;
        }
        closeLane(open);
        return true;
    }
}
