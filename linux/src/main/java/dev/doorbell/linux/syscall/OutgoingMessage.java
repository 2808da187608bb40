package dev.doorbell.linux.syscall;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetAddress;

/**
 * A message to one address, again and again: its destination is written once, or is the one that the socket is connected
 * to.
 *
 * <pre>
 *   0 mmsghdr 64 │ 64 iovec 16 │ 80 control: segment size 24 │ 104 up to three header fields, 24 each │ 176 address 28
 * </pre>
 *
 * <p>Thread rules: one thread at a time. Sending allocates nothing.
 */
public final class OutgoingMessage {
    private static final int VECTOR = 64;
    private static final int CONTROL = 80;
    private static final int CONTROL_SPACE = 24;
    private static final int CONTROL_LENGTH = MessageHeader.CONTROL_HEADER + Short.BYTES;
    private static final int FIELD_LENGTH = MessageHeader.CONTROL_HEADER + Integer.BYTES;
    private static final int FIELDS = CONTROL + CONTROL_SPACE;
    private static final int ADDRESS = FIELDS + 3 * CONTROL_SPACE;
    private static final int SIZE = ADDRESS + SocketAddress.SIZE;

    private final MemorySegment memory = Arena.ofAuto().allocate(SIZE, Long.BYTES);
    private final boolean ipv6;
    private final boolean toPeer;
    private int fieldsLength;

    /** A message to a port of an address. */
    public OutgoingMessage(InetAddress address, int port) {
        this(SocketAddress.family(address) == SocketAddress.INET6, false);
        int length = SocketAddress.write(memory, ADDRESS, address, port);
        MessageHeader.setName(memory, 0, memory.address() + ADDRESS, length);
    }

    /** A message through a socket that is connected, to where it is. */
    public static OutgoingMessage toPeerOf(UdpSocket socket) {
        return new OutgoingMessage(SocketAddress.family(socket.address()) == SocketAddress.INET6, true);
    }

    private OutgoingMessage(boolean ipv6, boolean toPeer) {
        this.ipv6 = ipv6;
        this.toPeer = toPeer;
        MessageHeader.setVector(memory, 0, memory.address() + VECTOR);
        MessageHeader.setControlHeader(memory, CONTROL, CONTROL_LENGTH, UdpSocket.LEVEL_UDP, UdpSocket.OPTION_SEGMENT);
    }

    /**
     * Sets fields of the IP header of what is sent from now on.
     *
     * @param trafficClass traffic class or type of service; 0 for the socket's
     * @param flowLabel of IPv6, 20 bits; 0 for one that the system chooses. IPv4 has none
     * @param hopLimit hop limit or time to live; 0 for the socket's
     */
    public void mark(int trafficClass, int flowLabel, int hopLimit) {
        fieldsLength = 0;
        int level = ipv6 ? UdpSocket.LEVEL_IPV6 : UdpSocket.LEVEL_IP;
        if (trafficClass != 0) {
            add(level, ipv6 ? UdpSocket.IPV6_TRAFFIC_CLASS : UdpSocket.IP_TYPE_OF_SERVICE, trafficClass);
        }
        if (hopLimit != 0) {
            add(level, ipv6 ? UdpSocket.IPV6_HOP_LIMIT : UdpSocket.IP_TIME_TO_LIVE, hopLimit);
        }
        if (ipv6 && flowLabel != 0) {
            long data = add(level, UdpSocket.IPV6_FLOW_INFORMATION, 0);
            Be.setInt(memory, data, flowLabel);
        }
    }

    private long add(int level, int type, int value) {
        long at = (long) FIELDS + fieldsLength;
        MessageHeader.setControlHeader(memory, at, FIELD_LENGTH, level, type);
        long data = at + MessageHeader.CONTROL_HEADER;
        Host.setInt(memory, data, value);
        fieldsLength += CONTROL_SPACE;
        return data;
    }

    /**
     * Sends bytes: as one datagram, or cut into datagrams of {@code segmentSize}, of which only the last may be shorter.
     *
     * @param segmentSize bytes of a datagram, or 0 for one datagram
     * @return the bytes sent, or a negative errno
     */
    long send(int fd, MemorySegment bytes, long at, int length, int segmentSize) {
        if (toPeer && segmentSize == 0 && fieldsLength == 0) {
            try {
                // There is nothing to say but the bytes: a tenth of a microsecond less.
                return SocketCalls.send(fd, bytes.address() + at, length, UdpSocket.DONT_WAIT);
            } finally {
                Reference.reachabilityFence(bytes);
            }
        }
        MessageHeader.setBuffer(memory, VECTOR, bytes.address() + at, length);
        if (segmentSize == 0) {
            MessageHeader.setControl(memory, 0, fieldsLength == 0 ? 0 : memory.address() + FIELDS, fieldsLength);
        } else {
            Host.setShort(memory, CONTROL + MessageHeader.CONTROL_HEADER, segmentSize);
            MessageHeader.setControl(memory, 0, memory.address() + CONTROL, (long) CONTROL_SPACE + fieldsLength);
        }
        try {
            return SocketCalls.sendMessage(fd, memory.address(), UdpSocket.DONT_WAIT);
        } finally {
            Reference.reachabilityFence(memory);
            Reference.reachabilityFence(bytes);
        }
    }
}
