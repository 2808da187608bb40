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
 * make a packet that contradicts itself. The ICRC covers the number that the system will give to the datagram (IPv4
 * identification), see {@link SentHeaders}.
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

    /** Of what is collected. */
    private @Nullable SentHeaders headers;

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
        SentHeaders covered = headers;
        if (count == 0 || covered == null) {
            flow = next;
            segmentBytes = bytes;
            collectedFields = fields;
            together = segmentation == Segmentation.ASKED_FOR && next.segments();
            covered = next.route.headers();
            headers = covered;
        } else {
            complete = bytes < segmentBytes;
        }
        stamp(covered, cursor, length, count);
        count++;
        cursor += bytes;
    }

    /** Computes the ICRC of the packet that is so far behind the next one to be sent. */
    private void stamp(SentHeaders covered, long packet, int length, int index) {
        int at = (int) packet;
        int identification = covered.identification(index, together);
        Icrc.store(view, at + length, covered.icrc.compute(view, at, length, identification, Icrc.DONT_FRAGMENT));
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
        to.mark(collectedFields);
        if (!together && count > 1) {
            sendEach(to);
        } else {
            long result = send(to, start, (int) (cursor - start), count > 1 ? segmentBytes : 0);
            if (result < 0) {
                failed((int) -result, to);
            }
        }
        // Counted while the packets travel, and not while the peer waits for them.
        counters.add(LinkCounter.LINK_SENT_PACKETS, count);
    }

    /** Sends packets from this one on; another way, if theirs is refused and there is one. */
    private long send(UdpFlow to, long from, int bytes, int cutInto) {
        long result = to.route.send(memory(), from, bytes, cutInto);
        counters.add(LinkCounter.LINK_SENDS);
        if (result < 0 && to.route.retreat((int) -result)) {
            restamp(to, from);
            return send(to, from, bytes, cutInto);
        }
        return result;
    }

    private void failed(int errno, UdpFlow to) {
        if (count > 1 && mayBeRefusalToSegment(errno)) {
            together = false;
            restamp(to, start);
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

    /** Gives packets the ICRC that goes with the present way of sending them, from this one on. */
    private void restamp(UdpFlow to, long from) {
        SentHeaders covered = to.route.headers();
        headers = covered;
        int index = 0;
        for (long at = from; at < cursor; at += segmentBytes) {
            stamp(covered, at, (int) Math.min(segmentBytes, cursor - at) - Icrc.SIZE, index++);
        }
    }

    /** How many datagrams the system took. */
    private int sendEach(UdpFlow to) {
        int sent = 0;
        for (long at = start; at < cursor; at += segmentBytes) {
            long result = send(to, at, (int) Math.min(segmentBytes, cursor - at), 0);
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
