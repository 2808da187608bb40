package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects packets that go to one address and sends them together: datagrams of one size, of which only the last may be
 * shorter. Packets are built next to each other, so nothing is moved.
 *
 * <pre>
 *   buffer   sent │ collected: packet, ICRC │ packet, ICRC │ claimed
 *                 start                                    cursor
 * </pre>
 *
 * <p>The packet's bytes are a copy by the time its ICRC is computed: a program that changes its memory meanwhile cannot
 * make a packet that contradicts itself. The kernel numbers the datagrams of one send from 0, and the ICRC covers that
 * number (IPv4 identification).
 */
final class UdpTransmitter implements Transmitter {
    private final SendBuffers buffers;
    private final UdpFlows flows;
    private final Segmentation segmentation;
    private final LinkCounters counters;
    private final int maxPacketBytes;
    private final ByteBuffer view;

    /** The buffer that is lent, or {@link SendBuffers#NONE}. */
    private long buffer = SendBuffers.NONE;

    private long start;
    private long cursor;
    private int count;
    private int segmentBytes;

    /** Whether a shorter datagram was added, behind which nothing may follow. */
    private boolean complete;

    /** Whether the present batch was made to be cut by the system. */
    private boolean together;

    private @Nullable UdpFlow flow;

    /** The {@link IpFields} of the next packet, and of those that are collected: one send has one header. */
    private long fields = IpFields.USUAL;

    private long collectedFields = IpFields.USUAL;

    UdpTransmitter(
            SendBuffers buffers,
            List<? extends DatagramPort> ports,
            Segmentation segmentation,
            LinkCounters counters,
            int maxPacketBytes) {
        this.buffers = buffers;
        this.flows = new UdpFlows(ports);
        this.segmentation = segmentation;
        this.counters = counters;
        this.maxPacketBytes = maxPacketBytes;
        this.view = buffers.memory().asByteBuffer();
    }

    @Override
    public MemorySegment memory() {
        return buffers.memory();
    }

    @Override
    public long claim() {
        if (buffer == SendBuffers.NONE) {
            buffer = buffers.take();
            if (buffer == SendBuffers.NONE) {
                return buffers.wasteland();
            }
            begin(buffer);
        } else if (isFull() || cursor + maxPacketBytes + Icrc.SIZE > buffer + buffers.bytes()) {
            sendCollected();
            begin(buffer);
        }
        return cursor;
    }

    /** Whether one more datagram of the present size would not fit. It is asked before a packet is built: then it need not move. */
    private boolean isFull() {
        return count > 0
                && (complete
                        || count == UdpSocket.MAX_SEGMENTS
                        || cursor - start + segmentBytes > UdpSocket.MAX_SEND_BYTES);
    }

    private void begin(long at) {
        start = at;
        cursor = at;
        count = 0;
        complete = false;
    }

    @Override
    public void send(int length, Gid source, Gid destination) {
        if (buffer == SendBuffers.NONE) {
            counters.add(LinkCounter.DROPPED_NO_BUFFER);
            return;
        }
        UdpFlow next = flow;
        if (next == null || !next.leads(source, destination)) {
            next = flows.find(source, destination);
            if (next == null) {
                counters.add(LinkCounter.DROPPED_UNREACHABLE);
                return;
            }
        }
        int bytes = length + Icrc.SIZE;
        if (count > 0 && !fits(next, bytes)) {
            sendCollected();
            begin(cursor);
        }
        add(next, length, bytes);
    }

    @Override
    public void mark(long marks) {
        fields = marks;
    }

    /** The system does not say how full its queues are. */
    @Override
    public boolean hasRoom(Gid destination) {
        return true;
    }

    private boolean fits(UdpFlow next, int bytes) {
        return next == flow
                && fields == collectedFields
                && !complete
                && bytes <= segmentBytes
                && count < UdpSocket.MAX_SEGMENTS
                && cursor - start + bytes <= UdpSocket.MAX_SEND_BYTES;
    }

    private void add(UdpFlow next, int length, int bytes) {
        if (count == 0) {
            flow = next;
            segmentBytes = bytes;
            collectedFields = fields;
            together = segmentation == Segmentation.ASKED_FOR && next.segments();
        } else {
            complete = bytes < segmentBytes;
        }
        int identification = together ? count : 0;
        int at = (int) cursor;
        Icrc.store(view, at + length, next.icrc.compute(view, at, length, identification, Icrc.DONT_FRAGMENT));
        count++;
        cursor += bytes;
    }

    @Override
    public void flush() {
        if (buffer != SendBuffers.NONE) {
            sendCollected();
            buffers.give(buffer);
            buffer = SendBuffers.NONE;
        }
    }

    private void sendCollected() {
        UdpFlow to = flow;
        if (count == 0 || to == null) {
            return;
        }
        counters.add(LinkCounter.LINK_SENT_PACKETS, count);
        to.mark(collectedFields);
        if (!together && count > 1) {
            sendEach(to);
            return;
        }
        counters.add(LinkCounter.LINK_SENDS);
        long result = to.route.send(memory(), start, (int) (cursor - start), count > 1 ? segmentBytes : 0);
        if (result < 0) {
            failed((int) -result, to);
        }
    }

    private void failed(int errno, UdpFlow to) {
        if (count > 1 && mayBeRefusalToSegment(errno)) {
            renumber(to);
            if (sendEach(to) > 0) {
                // So it was not the address, nor the way there.
                to.refusedToSegment();
            }
        } else {
            drop(errno, count, to);
        }
    }

    /** With older kernels a segment that is longer than the path's MTU is EINVAL too, and so is a source address that has gone. */
    private static boolean mayBeRefusalToSegment(int errno) {
        return errno == Errno.EIO || errno == Errno.EINVAL || errno == Errno.EOPNOTSUPP;
    }

    /** Datagrams that are sent one by one all have identification 0. */
    private void renumber(UdpFlow to) {
        for (long at = start; at < cursor; at += segmentBytes) {
            int length = (int) Math.min(segmentBytes, cursor - at) - Icrc.SIZE;
            Icrc.store(view, (int) at + length, to.icrc.compute(view, (int) at, length));
        }
    }

    /** How many datagrams the system took. */
    private int sendEach(UdpFlow to) {
        int sent = 0;
        for (long at = start; at < cursor; at += segmentBytes) {
            counters.add(LinkCounter.LINK_SENDS);
            long result = to.route.send(memory(), at, (int) Math.min(segmentBytes, cursor - at), 0);
            if (result < 0) {
                drop((int) -result, 1, to);
            } else {
                sent++;
            }
        }
        return sent;
    }

    private void drop(int errno, int packets, UdpFlow to) {
        if (errno == Errno.EMSGSIZE) {
            counters.tooLong(to.destination);
        }
        counters.add(
                switch (errno) {
                    case Errno.EAGAIN, Errno.ENOBUFS -> LinkCounter.DROPPED_SEND_BUFFER_FULL;
                    case Errno.EMSGSIZE -> LinkCounter.DROPPED_LONGER_THAN_PATH_MTU;
                    case Errno.EBADF, Errno.ENETDOWN -> LinkCounter.DROPPED_LINK_DOWN;
                    default -> LinkCounter.DROPPED_UNREACHABLE;
                },
                packets);
    }
}
