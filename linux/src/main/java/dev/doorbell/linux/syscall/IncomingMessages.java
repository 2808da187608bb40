package dev.doorbell.linux.syscall;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Room for several messages that arrive with one system call. With receive offload a message holds several datagrams
 * of one sender, of {@link #segmentSize} bytes each, the last perhaps shorter.
 *
 * <p>Thread rules: one thread at a time. Receiving allocates nothing.
 */
public final class IncomingMessages {
    /** The most bytes that a message has: what an IP packet can hold. */
    public static final int BUFFER_BYTES = 1 << 16;

    /** A segment size and two fields of the IP header, 24 each. */
    private static final int CONTROL_BYTES = 96;

    /** {@link #headerFields} of a message of which the system said nothing. */
    public static final long NO_FIELDS = -1;

    private static final int CLASS_SHIFT = 20;
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int BYTE = 0xff;
    private static final int HOPS_SHIFT = 32;
    private static final int TRUNCATED = 0x20;
    private static final int ALIGNMENT = 64;

    private final int count;
    private final MemorySegment data;
    private final MemorySegment headers;
    private final long vectors;
    private final long addresses;
    private final long controls;

    /** Room for {@code count} messages. */
    public IncomingMessages(int count) {
        this.count = count;
        this.data = Arena.ofAuto().allocate((long) count * BUFFER_BYTES, ALIGNMENT);
        this.vectors = (long) count * MessageHeader.SIZE;
        this.addresses = vectors + (long) count * MessageHeader.VECTOR_SIZE;
        this.controls = addresses + (long) count * Long.BYTES * 4;
        this.headers = Arena.ofAuto().allocate(controls + (long) count * CONTROL_BYTES, ALIGNMENT);
        for (int index = 0; index < count; index++) {
            long vector = vectors + (long) index * MessageHeader.VECTOR_SIZE;
            MessageHeader.setVector(headers, header(index), headers.address() + vector);
            MessageHeader.setBuffer(headers, vector, data.address() + offset(index), BUFFER_BYTES);
            prepare(index);
        }
    }

    private static long header(int index) {
        return (long) index * MessageHeader.SIZE;
    }

    private long address(int index) {
        return addresses + (long) index * Long.BYTES * 4;
    }

    private long control(int index) {
        return controls + (long) index * CONTROL_BYTES;
    }

    /** The kernel leaves what it wrote in the lengths. */
    private void prepare(int index) {
        long header = header(index);
        MessageHeader.setName(headers, header, headers.address() + address(index), SocketAddress.SIZE);
        MessageHeader.setControl(headers, header, headers.address() + control(index), CONTROL_BYTES);
        MessageHeader.clearFlags(headers, header);
    }

    /** Receives what waits, at most so many messages; how many, or a negative errno. */
    int receive(int fd, int most) {
        try {
            return most == 1
                    ? receiveOne(fd)
                    : SocketCalls.receiveMessages(fd, headers.address(), Math.min(most, count), UdpSocket.DONT_WAIT);
        } finally {
            Reference.reachabilityFence(headers);
            Reference.reachabilityFence(data);
        }
    }

    /**
     * Receives one datagram that waits, of a socket which is not asked to receive several together nor to tell fields of
     * headers: nothing but bytes and their sender takes less time.
     *
     * @return 1, or a negative errno
     */
    int receiveDatagram(int fd) {
        try {
            long source = headers.address() + address(0);
            long sourceLength = headers.address() + MessageHeader.nameLength(header(0));
            long result = SocketCalls.receiveFrom(
                    fd, data.address(), BUFFER_BYTES, UdpSocket.DONT_WAIT, source, sourceLength);
            if (result < 0) {
                return (int) result;
            }
            MessageHeader.setReceived(headers, header(0), (int) result);
            MessageHeader.setControl(headers, header(0), 0, 0);
            return 1;
        } finally {
            Reference.reachabilityFence(headers);
            Reference.reachabilityFence(data);
        }
    }

    /** A call of its own for one message, which takes less time, above all where none waits. */
    private int receiveOne(int fd) {
        long result = SocketCalls.receiveMessage(fd, headers.address(), UdpSocket.DONT_WAIT);
        if (result < 0) {
            return (int) result;
        }
        MessageHeader.setReceived(headers, 0, (int) result);
        return 1;
    }

    /** Makes room again after messages were dealt with. */
    public void recycle(int received) {
        for (int index = 0; index < received; index++) {
            prepare(index);
        }
    }

    /** The memory in which messages lie; the same object for life. */
    public MemorySegment data() {
        return data;
    }

    /** Where a message starts in {@link #data()}. */
    public long offset(int index) {
        return (long) index * BUFFER_BYTES;
    }

    /** Bytes of a message. */
    public int length(int index) {
        return Math.min(MessageHeader.received(headers, header(index)), BUFFER_BYTES);
    }

    /** Whether a message was longer than its room. */
    public boolean isTruncated(int index) {
        return (MessageHeader.flags(headers, header(index)) & TRUNCATED) != 0;
    }

    /** Bytes of each datagram of a message, or 0 where the message is one datagram. */
    public int segmentSize(int index) {
        long at = control(index);
        long end = at + Math.min(MessageHeader.controlLength(headers, header(index)), CONTROL_BYTES);
        while (at + MessageHeader.CONTROL_HEADER + Integer.BYTES <= end) {
            if (MessageHeader.isControl(headers, at, UdpSocket.LEVEL_UDP, UdpSocket.OPTION_GRO)) {
                return Host.getInt(headers, at + MessageHeader.CONTROL_HEADER);
            }
            long length = MessageHeader.controlHeaderLength(headers, at);
            if (length < MessageHeader.CONTROL_HEADER) {
                return 0;
            }
            at += length + Long.BYTES - 1 & -Long.BYTES;
        }
        return 0;
    }

    /**
     * Fields of the IP header of a message's datagrams, if the socket was asked for them: bits 0 to 19 the flow label, 20 to 27
     * the traffic class or type of service, 32 to 39 the hop limit or time to live; {@link #NO_FIELDS} if it says nothing.
     */
    public long headerFields(int index) {
        long at = control(index);
        long end = at + Math.min(MessageHeader.controlLength(headers, header(index)), CONTROL_BYTES);
        long hops = 0;
        int flow = 0;
        while (at + MessageHeader.CONTROL_HEADER < end) {
            long data = at + MessageHeader.CONTROL_HEADER;
            long length = MessageHeader.controlHeaderLength(headers, at);
            if (length <= MessageHeader.CONTROL_HEADER) {
                break;
            }
            if (MessageHeader.isControl(headers, at, UdpSocket.LEVEL_IP, UdpSocket.IP_TYPE_OF_SERVICE)) {
                flow = Host.getUnsignedByte(headers, data) << CLASS_SHIFT;
            } else if (MessageHeader.isControl(headers, at, UdpSocket.LEVEL_IPV6, UdpSocket.IPV6_FLOW_INFORMATION)) {
                flow = Be.getInt(headers, data) & (BYTE << CLASS_SHIFT | FLOW_LABEL);
            } else if (MessageHeader.isControl(headers, at, UdpSocket.LEVEL_IP, UdpSocket.IP_TIME_TO_LIVE)
                    || MessageHeader.isControl(headers, at, UdpSocket.LEVEL_IPV6, UdpSocket.IPV6_HOP_LIMIT)) {
                hops = Host.getUnsignedByte(headers, data);
            }
            at += length + Long.BYTES - 1 & -Long.BYTES;
        }
        return hops == 0 ? NO_FIELDS : hops << HOPS_SHIFT | flow;
    }

    /** The UDP port from which a message came. */
    public int sourcePort(int index) {
        return SocketAddress.port(headers, address(index));
    }

    /** The first eight bytes of the sender's address; IPv4 addresses are mapped into IPv6. */
    public long sourceHigh(int index) {
        return SocketAddress.high(headers, address(index));
    }

    /** The last eight bytes of the sender's address. */
    public long sourceLow(int index) {
        return SocketAddress.low(headers, address(index));
    }
}
