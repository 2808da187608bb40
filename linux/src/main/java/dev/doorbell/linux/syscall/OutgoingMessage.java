package dev.doorbell.linux.syscall;

import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetAddress;

/**
 * A message to one address, again and again: its destination is written once.
 *
 * <pre>
 *   0 mmsghdr 64 │ 64 iovec 16 │ 80 control: segment size 24 │ 104 address 28
 * </pre>
 *
 * <p>Thread rules: one thread at a time. Sending allocates nothing.
 */
public final class OutgoingMessage {
    private static final int VECTOR = 64;
    private static final int CONTROL = 80;
    private static final int CONTROL_SPACE = 24;
    private static final int CONTROL_LENGTH = MessageHeader.CONTROL_HEADER + Short.BYTES;
    private static final int ADDRESS = 104;
    private static final int SIZE = ADDRESS + SocketAddress.SIZE;

    private final MemorySegment memory = Arena.ofAuto().allocate(SIZE, Long.BYTES);

    /** A message to a port of an address. */
    public OutgoingMessage(InetAddress address, int port) {
        int length = SocketAddress.write(memory, ADDRESS, address, port);
        MessageHeader.setName(memory, 0, memory.address() + ADDRESS, length);
        MessageHeader.setVector(memory, 0, memory.address() + VECTOR);
        MessageHeader.setControlHeader(memory, CONTROL, CONTROL_LENGTH, UdpSocket.LEVEL_UDP, UdpSocket.OPTION_SEGMENT);
    }

    /**
     * Sends bytes: as one datagram, or cut into datagrams of {@code segmentSize}, of which only the last may be shorter.
     *
     * @param segmentSize bytes of a datagram, or 0 for one datagram
     * @return the bytes sent, or a negative errno
     */
    long send(int fd, MemorySegment bytes, long at, int length, int segmentSize) {
        MessageHeader.setBuffer(memory, VECTOR, bytes.address() + at, length);
        if (segmentSize == 0) {
            MessageHeader.setControl(memory, 0, 0, 0);
        } else {
            Host.setShort(memory, CONTROL + MessageHeader.CONTROL_HEADER, segmentSize);
            MessageHeader.setControl(memory, 0, memory.address() + CONTROL, CONTROL_SPACE);
        }
        try {
            return SocketCalls.sendMessage(fd, memory.address(), UdpSocket.DONT_WAIT);
        } finally {
            Reference.reachabilityFence(memory);
            Reference.reachabilityFence(bytes);
        }
    }
}
