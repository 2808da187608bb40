package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.Inet4Address;

/**
 * Finds out how the system numbers the IPv4 datagrams of a connected socket (the identification of the header). It starts
 * with a random number and counts sends; the datagrams of one send that is cut count up from that send's number.
 *
 * <p>A datagram to a socket of this host is sent through the socket in question, and the system is asked for the time at
 * which it left: the answer shows the headers. What the socket is connected to never sees anything.
 *
 * <pre>
 *   0 mmsghdr 64 │ 64 iovec 16 │ 80 control: time stamp 24 │ 104 control: segment size 24 │ 128 address 28 │ 160 payload 32
 *   192 mmsghdr 64 │ 256 iovec 16 │ 272 control 240 │ 512 what was sent 256
 * </pre>
 *
 * <p>Thread rules: one thread at a time, which is the only one to send through the socket. Asking allocates nothing.
 */
public final class IdentificationProbe implements AutoCloseable {
    /** The system does not say, or does it another way. */
    public static final int UNKNOWN = -1;

    private static final int LEVEL_SOCKET = 1;
    private static final int TIME_STAMPING = 37;
    private static final int WHEN_QUEUED = 1 << 8;
    private static final int FROM_ERROR_QUEUE = 0x2000;

    private static final int VECTOR = 64;
    private static final int TIME_CONTROL = 80;
    private static final int SEGMENT_CONTROL = 104;
    private static final int CONTROL_SPACE = 24;
    private static final int ADDRESS = 128;
    private static final int PAYLOAD = 160;
    private static final int ANSWER = 192;
    private static final int ANSWER_VECTOR = 256;
    private static final int ANSWER_CONTROL = 272;
    private static final int ANSWER_CONTROL_SPACE = 240;
    private static final int ANSWER_BYTES = 512;
    private static final int ANSWER_SPACE = 256;
    private static final int SIZE = ANSWER_BYTES + ANSWER_SPACE;

    private static final int IP_HEADER = 20;
    private static final int UDP_HEADER = 8;
    private static final int VERSION_AND_LENGTH = 0x45;
    private static final int IDENTIFICATION = 4;
    private static final int PROTOCOL = 9;
    private static final int PROTOCOL_UDP = 17;
    private static final int NUMBERS = 1 << 16;
    private static final int SEGMENT = 16;
    private static final int MOST_ANSWERS = 16;

    private final UdpSocket socket;
    private final UdpSocket target;
    private final MemorySegment memory = Arena.ofAuto().allocate(SIZE, Long.BYTES);

    /**
     * A probe.
     *
     * @param socket bound to an IPv4 address, and connected
     * @throws KernelException if no further socket can be had
     */
    public IdentificationProbe(UdpSocket socket) {
        if (!(socket.address() instanceof Inet4Address)) {
            throw new IllegalArgumentException("IPv6 has no identification");
        }
        this.socket = socket;
        this.target = UdpSocket.bind(socket.address(), 0);
        prepare();
    }

    private void prepare() {
        int length = SocketAddress.write(memory, ADDRESS, target.address(), target.port());
        MessageHeader.setName(memory, 0, memory.address() + ADDRESS, length);
        MessageHeader.setVector(memory, 0, memory.address() + VECTOR);
        int control = MessageHeader.CONTROL_HEADER;
        MessageHeader.setControlHeader(memory, TIME_CONTROL, control + Integer.BYTES, LEVEL_SOCKET, TIME_STAMPING);
        Host.setInt(memory, TIME_CONTROL + control, WHEN_QUEUED);
        MessageHeader.setControlHeader(
                memory, SEGMENT_CONTROL, control + Short.BYTES, UdpSocket.LEVEL_UDP, UdpSocket.OPTION_SEGMENT);
        Host.setShort(memory, SEGMENT_CONTROL + control, SEGMENT);
        MessageHeader.setVector(memory, ANSWER, memory.address() + ANSWER_VECTOR);
        MessageHeader.setBuffer(memory, ANSWER_VECTOR, memory.address() + ANSWER_BYTES, ANSWER_SPACE);
    }

    /**
     * The number of the next send, if this and the one before it show that sends are counted.
     *
     * @param segmenting whether sends that are cut are to be tried too
     * @return 0 to 65535, or {@link #UNKNOWN}
     */
    public int learn(boolean segmenting) {
        int first = ask(1);
        int second = ask(segmenting ? 2 : 1);
        int third = ask(1);
        boolean counts = first >= 0 && second == after(first) && third == after(second);
        return counts ? after(third) : UNKNOWN;
    }

    /**
     * The number of the next send.
     *
     * @return 0 to 65535, or {@link #UNKNOWN}
     */
    public int next() {
        int asked = ask(1);
        return asked < 0 ? UNKNOWN : after(asked);
    }

    private static int after(int number) {
        return (number + 1) % NUMBERS;
    }

    /** Sends a probe of so many datagrams; its number. */
    private int ask(int datagrams) {
        int length = datagrams * SEGMENT;
        MessageHeader.setBuffer(memory, VECTOR, memory.address() + PAYLOAD, length);
        MessageHeader.setControl(memory, 0, memory.address() + TIME_CONTROL, (long) datagrams * CONTROL_SPACE);
        if (!socket.file().enter(0)) {
            return UNKNOWN;
        }
        try {
            int fd = socket.file().fd();
            long sent = SocketCalls.sendMessage(fd, memory.address(), UdpSocket.DONT_WAIT);
            int number = UNKNOWN;
            for (int answers = 0; sent == length && answers < MOST_ANSWERS && receive(fd) > 0; answers++) {
                number = number(length);
            }
            return number;
        } finally {
            socket.file().exit(0);
            Reference.reachabilityFence(memory);
        }
    }

    private long receive(int fd) {
        MessageHeader.setControl(memory, ANSWER, memory.address() + ANSWER_CONTROL, ANSWER_CONTROL_SPACE);
        MessageHeader.clearFlags(memory, ANSWER);
        long received =
                SocketCalls.receiveMessage(fd, memory.address() + ANSWER, UdpSocket.DONT_WAIT | FROM_ERROR_QUEUE);
        MessageHeader.setReceived(memory, ANSWER, (int) received);
        return received;
    }

    /** The identification in what was sent: headers of the interface, of IP and of UDP, then the payload. */
    private int number(int length) {
        long ip = (long) ANSWER_BYTES + MessageHeader.received(memory, ANSWER) - length - UDP_HEADER - IP_HEADER;
        boolean isProbe = ip >= ANSWER_BYTES
                && ip + IP_HEADER + UDP_HEADER + length <= SIZE
                && Be.getUnsignedByte(memory, ip) == VERSION_AND_LENGTH
                && Be.getUnsignedByte(memory, ip + PROTOCOL) == PROTOCOL_UDP
                && Be.getUnsignedShort(memory, ip + 2) == IP_HEADER + UDP_HEADER + length;
        return isProbe ? Be.getUnsignedShort(memory, ip + IDENTIFICATION) : UNKNOWN;
    }

    /** Gives back what the probe has; the socket in question stays. */
    @Override
    public void close() {
        target.close();
    }
}
