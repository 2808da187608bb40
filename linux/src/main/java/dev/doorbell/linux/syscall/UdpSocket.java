package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/**
 * A UDP socket, bound to one address; its calls never block. Its IPv4 datagrams carry "don't fragment" and
 * identification 0, or the number of the datagram within a send that is cut into several. Once it is connected they are
 * numbered from a start that the system chooses, see {@link IdentificationProbe}.
 *
 * <p>Thread rules: any thread; a message belongs to one thread at a time. Interrupting a thread has no effect.
 */
public final class UdpSocket implements AutoCloseable {
    /** The most datagrams that one send is cut into; older kernels refuse more. */
    public static final int MAX_SEGMENTS = 64;

    /** The most bytes that one send has, with room for the longest headers. */
    public static final int MAX_SEND_BYTES = 65_535 - 48;

    static final int LEVEL_UDP = 17;
    static final int OPTION_SEGMENT = 103;
    static final int OPTION_GRO = 104;
    static final int DONT_WAIT = 0x40;

    private static final int DATAGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int LEVEL_SOCKET = 1;
    private static final int REUSE_ADDRESS = 2;
    private static final int SEND_BUFFER = 7;
    private static final int RECEIVE_BUFFER = 8;
    private static final int SEND_BUFFER_FORCE = 32;
    private static final int RECEIVE_BUFFER_FORCE = 33;
    private static final int MEMORY_INFO = 55;
    private static final int MEMORY_INFO_WORDS = 9;
    private static final int MEMORY_INFO_DROPS = 8;
    static final int LEVEL_IP = 0;
    static final int IP_TYPE_OF_SERVICE = 1;
    static final int IP_TIME_TO_LIVE = 2;
    private static final int IP_RECEIVE_TIME_TO_LIVE = 12;
    private static final int IP_RECEIVE_TYPE_OF_SERVICE = 13;
    private static final int IP_MULTICAST_TIME_TO_LIVE = 33;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_MULTICAST_INTERFACE = 32;
    private static final int IP_ADD_MEMBERSHIP = 35;
    static final int LEVEL_IPV6 = 41;
    static final int IPV6_FLOW_INFORMATION = 11;
    static final int IPV6_HOP_LIMIT = 52;
    static final int IPV6_TRAFFIC_CLASS = 67;
    private static final int IPV6_UNICAST_HOPS = 16;
    private static final int IPV6_MULTICAST_HOPS = 18;
    private static final int IPV6_RECEIVE_HOP_LIMIT = 51;
    private static final int IPV6_MULTICAST_INTERFACE = 17;
    private static final int IPV6_ADD_MEMBERSHIP = 20;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_ONLY = 26;
    private static final int ALWAYS_DONT_FRAGMENT = 2;
    private static final int NO_CHECK6_SEND = 101;
    private static final int NO_CHECK6_RECEIVE = 102;

    /** The two values of an option that is on or off, so that switching allocates nothing. */
    private static final MemorySegment OFF_AND_ON = offAndOn();

    private final SystemFile file;
    private final InetAddress address;

    private UdpSocket(int fd, InetAddress address) {
        this.file = new SystemFile(fd);
        this.address = address;
    }

    /**
     * Binds a new socket.
     *
     * @throws KernelException with the errno: EADDRINUSE if the port is held, EADDRNOTAVAIL if this host does not have
     *     the address
     */
    public static UdpSocket bind(InetAddress address, int port) {
        int family = SocketAddress.family(address);
        int fd = Libc.socket(family, DATAGRAM_NONBLOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new KernelException(-fd, "no UDP socket for " + address.getHostAddress());
        }
        UdpSocket socket = new UdpSocket(fd, address);
        int errno = family == SocketAddress.INET6 ? socket.prepareIpv6() : socket.prepareIpv4();
        if (errno == 0) {
            errno = socket.bindTo(port);
        }
        if (errno != 0) {
            socket.close();
            throw new KernelException(-errno, "UDP port " + port + " of " + address.getHostAddress());
        }
        return socket;
    }

    /**
     * A socket that receives what is sent to a multicast group, beside others that do.
     *
     * @param group the group
     * @param interfaceIndex on which interface
     * @throws KernelException with the errno
     */
    public static UdpSocket join(InetAddress group, int interfaceIndex, int port) {
        int family = SocketAddress.family(group);
        int fd = Libc.socket(family, DATAGRAM_NONBLOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new KernelException(-fd, "no UDP socket for " + group.getHostAddress());
        }
        UdpSocket socket = new UdpSocket(fd, group);
        int errno = socket.setOption(LEVEL_SOCKET, REUSE_ADDRESS, 1);
        if (errno == 0 && family == SocketAddress.INET6) {
            errno = socket.prepareIpv6();
        }
        if (errno == 0) {
            errno = socket.bindTo(port);
        }
        if (errno == 0) {
            errno = socket.addMembership(interfaceIndex);
        }
        if (errno != 0) {
            socket.close();
            throw new KernelException(-errno, "multicast group " + group.getHostAddress());
        }
        return socket;
    }

    /** The structs {@code ip_mreqn} (group, address, index) and {@code ipv6_mreq} (group, index). */
    private int addMembership(int interfaceIndex) {
        byte[] group = address.getAddress();
        boolean six = group.length > Integer.BYTES;
        int indexAt = six ? group.length : 2 * Integer.BYTES;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(indexAt + Integer.BYTES, Integer.BYTES);
            MemorySegment.copy(MemorySegment.ofArray(group), 0, request, 0, group.length);
            Host.setInt(request, indexAt, interfaceIndex);
            return SocketCalls.setOption(
                    file.fd(),
                    six ? LEVEL_IPV6 : LEVEL_IP,
                    six ? IPV6_ADD_MEMBERSHIP : IP_ADD_MEMBERSHIP,
                    request.address(),
                    (int) request.byteSize());
        }
    }

    /** Sends to multicast groups through this interface, whatever the routing table says. */
    public void sendGroupsThrough(int interfaceIndex) {
        boolean six = SocketAddress.family(address) == SocketAddress.INET6;
        if (six) {
            setOption(LEVEL_IPV6, IPV6_MULTICAST_INTERFACE, interfaceIndex);
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(3 * Integer.BYTES, Integer.BYTES);
            Host.setInt(request, 2 * Integer.BYTES, interfaceIndex);
            SocketCalls.setOption(
                    file.fd(), LEVEL_IP, IP_MULTICAST_INTERFACE, request.address(), (int) request.byteSize());
        }
    }

    /** Sets the hop limit of what is sent to single hosts and to groups, where a message does not say another. */
    public void setHopLimit(int hops) {
        boolean six = SocketAddress.family(address) == SocketAddress.INET6;
        setOption(six ? LEVEL_IPV6 : LEVEL_IP, six ? IPV6_UNICAST_HOPS : IP_TIME_TO_LIVE, hops);
        setOption(six ? LEVEL_IPV6 : LEVEL_IP, six ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TIME_TO_LIVE, hops);
    }

    /**
     * Sends IPv6 datagrams with a UDP checksum of zero, as RoCE devices do. For a socket that does not segment: the kernel
     * refuses both together.
     */
    public void sendWithoutChecksum() {
        if (SocketAddress.family(address) == SocketAddress.INET6) {
            setOption(LEVEL_UDP, NO_CHECK6_SEND, 1);
        }
    }

    /** Lets {@link IncomingMessages} tell traffic class, flow label and hop limit. */
    public void receiveHeaderFields() {
        if (SocketAddress.family(address) == SocketAddress.INET6) {
            setOption(LEVEL_IPV6, IPV6_RECEIVE_HOP_LIMIT, 1);
            setOption(LEVEL_IPV6, IPV6_FLOW_INFORMATION, 1);
        } else {
            setOption(LEVEL_IP, IP_RECEIVE_TIME_TO_LIVE, 1);
            setOption(LEVEL_IP, IP_RECEIVE_TYPE_OF_SERVICE, 1);
        }
    }

    private int prepareIpv4() {
        return setOption(LEVEL_IP, IP_MTU_DISCOVER, ALWAYS_DONT_FRAGMENT);
    }

    private int prepareIpv6() {
        int errno = setOption(LEVEL_IPV6, IPV6_ONLY, 1);
        if (errno == 0) {
            errno = setOption(LEVEL_IPV6, IPV6_MTU_DISCOVER, ALWAYS_DONT_FRAGMENT);
        }
        // RoCE devices send a UDP checksum of zero, which Linux would drop.
        return errno == 0 ? setOption(LEVEL_UDP, NO_CHECK6_RECEIVE, 1) : errno;
    }

    private int bindTo(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SocketAddress.SIZE, Long.BYTES);
            int length = SocketAddress.write(name, 0, address, port);
            return SocketCalls.bind(file.fd(), name.address(), length);
        }
    }

    /**
     * Connects to the only address that the socket sends to and receives from: the system looks the way up once, and not
     * for each datagram.
     *
     * @throws KernelException with the errno: ENETUNREACH if no way leads there
     */
    public void connect(InetAddress peer, int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SocketAddress.SIZE, Long.BYTES);
            int length = SocketAddress.write(name, 0, peer, port);
            int errno = SocketCalls.connect(file.fd(), name.address(), length);
            if (errno != 0) {
                throw new KernelException(-errno, "from " + address.getHostAddress() + " to " + peer.getHostAddress());
            }
        }
    }

    /**
     * The port to which the socket is bound.
     *
     * @throws KernelException with the errno
     */
    public int port() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SocketAddress.SIZE, Long.BYTES);
            MemorySegment length = arena.allocate(Integer.BYTES, Integer.BYTES);
            Host.setInt(length, 0, SocketAddress.SIZE);
            int errno = SocketCalls.name(file.fd(), name.address(), length.address());
            if (errno != 0) {
                throw new KernelException(-errno, "port of " + address.getHostAddress());
            }
            return SocketAddress.port(name, 0);
        }
    }

    /** The address to which the socket is bound. */
    public InetAddress address() {
        return address;
    }

    private static MemorySegment offAndOn() {
        MemorySegment values = Arena.global().allocate(2 * Integer.BYTES, Integer.BYTES);
        Host.setInt(values, Integer.BYTES, 1);
        return values;
    }

    /**
     * Whether the kernel shall hand over several datagrams of one sender as one message. What came together before and was
     * not received yet stays together, and {@link IncomingMessages#segmentSize} tells so only while this is on.
     *
     * @return false if it cannot, or the socket is closed
     */
    public boolean receiveTogether(boolean together) {
        if (!file.enter(0)) {
            return false;
        }
        try {
            long value = OFF_AND_ON.address() + (together ? Integer.BYTES : 0);
            return SocketCalls.setOption(file.fd(), LEVEL_UDP, OPTION_GRO, value, Integer.BYTES) == 0;
        } finally {
            file.exit(0);
        }
    }

    /** Whether the kernel can cut a send into datagrams. */
    public boolean canSegment() {
        return option(LEVEL_UDP, OPTION_SEGMENT) >= 0;
    }

    /**
     * Asks for buffers of this size. The system may give less, unless this process is privileged.
     *
     * @return the size that the receive buffer has now, as the kernel counts
     */
    public int setBuffers(int bytes) {
        if (setOption(LEVEL_SOCKET, RECEIVE_BUFFER_FORCE, bytes) != 0) {
            setOption(LEVEL_SOCKET, RECEIVE_BUFFER, bytes);
        }
        if (setOption(LEVEL_SOCKET, SEND_BUFFER_FORCE, bytes) != 0) {
            setOption(LEVEL_SOCKET, SEND_BUFFER, bytes);
        }
        return option(LEVEL_SOCKET, RECEIVE_BUFFER);
    }

    /** Asks for a send buffer of this size, and keeps next to nothing of what arrives: nobody will look. */
    public void onlySend(int bytes) {
        setOption(LEVEL_SOCKET, RECEIVE_BUFFER, 1);
        if (setOption(LEVEL_SOCKET, SEND_BUFFER_FORCE, bytes) != 0) {
            setOption(LEVEL_SOCKET, SEND_BUFFER, bytes);
        }
    }

    /** Datagrams that found the receive buffer full. */
    public long drops() {
        if (!file.enter(0)) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(MEMORY_INFO_WORDS * Integer.BYTES, Integer.BYTES);
            MemorySegment length = arena.allocate(Integer.BYTES, Integer.BYTES);
            Host.setInt(length, 0, (int) value.byteSize());
            int errno = SocketCalls.getOption(file.fd(), LEVEL_SOCKET, MEMORY_INFO, value.address(), length.address());
            return errno < 0 ? 0 : Host.getUnsignedInt(value, MEMORY_INFO_DROPS * Integer.BYTES);
        } finally {
            file.exit(0);
        }
    }

    /** Sets an option that is a number; 0, or a negative errno. */
    private int setOption(int level, int name, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Integer.BYTES, Integer.BYTES);
            Host.setInt(memory, 0, value);
            return SocketCalls.setOption(file.fd(), level, name, memory.address(), Integer.BYTES);
        }
    }

    /** An option that is a number, or a negative errno. */
    private int option(int level, int name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(2 * Integer.BYTES, Integer.BYTES);
            Host.setInt(memory, Integer.BYTES, Integer.BYTES);
            int errno =
                    SocketCalls.getOption(file.fd(), level, name, memory.address(), memory.address() + Integer.BYTES);
            return errno < 0 ? errno : Host.getInt(memory, 0);
        }
    }

    /**
     * Sends bytes, see {@link OutgoingMessage}.
     *
     * @param stripe a number of the calling thread or queue, see {@link SystemFile#nextStripe}
     * @param segmentSize bytes of a datagram, or 0 for one datagram
     * @return the bytes sent, or a negative errno: EAGAIN if the send buffer is full, EMSGSIZE if a datagram is longer
     *     than the path takes, EBADF once the socket is closed
     */
    public long send(int stripe, OutgoingMessage message, MemorySegment bytes, long at, int length, int segmentSize) {
        if (!file.enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return message.send(file.fd(), bytes, at, length, segmentSize);
        } finally {
            file.exit(stripe);
        }
    }

    /**
     * Receives messages that wait.
     *
     * @param most how many at most; one alone takes less time
     * @return how many, or a negative errno: EAGAIN if none waits, EBADF once the socket is closed
     */
    public int receive(int stripe, IncomingMessages messages, int most) {
        if (!file.enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return messages.receive(file.fd(), most);
        } finally {
            file.exit(stripe);
        }
    }

    /**
     * Receives one datagram that waits, with less effort: its message says neither that it is several, nor what its headers
     * say. For a socket that is asked for neither, see {@link #receiveTogether} and {@link #receiveHeaderFields}.
     *
     * @return 1, or a negative errno: EAGAIN if none waits, EBADF once the socket is closed
     */
    public int receiveDatagram(int stripe, IncomingMessages messages) {
        if (!file.enter(stripe)) {
            return -Errno.EBADF;
        }
        try {
            return messages.receiveDatagram(file.fd());
        } finally {
            file.exit(stripe);
        }
    }

    /** A stripe for somebody who calls often. */
    public int nextStripe() {
        return file.nextStripe();
    }

    /** Whether {@link #close} has begun. */
    public boolean isClosed() {
        return file.isClosed();
    }

    SystemFile file() {
        return file;
    }

    /** Closes the socket after the calls inside have returned. Idempotent. */
    @Override
    public void close() {
        file.close();
    }
}
