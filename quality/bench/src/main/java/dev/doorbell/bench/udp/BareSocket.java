package dev.doorbell.bench.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.nio.ByteOrder;

/** A connected IPv4 socket of Linux for datagrams, and nothing around it. It is polled: no call waits. */
final class BareSocket implements AutoCloseable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfShort NETWORK_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private static final FunctionDescriptor TRANSFER = FunctionDescriptor.of(LONG, INT, LONG, LONG, INT);
    private static final FunctionDescriptor NAMED = FunctionDescriptor.of(INT, INT, LONG, INT);
    private static final MethodHandle SOCKET = link("socket", FunctionDescriptor.of(INT, INT, INT, INT));
    private static final MethodHandle BIND = link("bind", NAMED);
    private static final MethodHandle CONNECT = link("connect", NAMED);
    private static final MethodHandle SET_OPTION =
            link("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, INT));
    private static final MethodHandle SEND = link("send", TRANSFER);
    private static final MethodHandle RECEIVE = link("recv", TRANSFER);
    private static final MethodHandle SEND_MESSAGE = link("sendmsg", FunctionDescriptor.of(LONG, INT, LONG, INT));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(INT, INT));

    private static final int IPV4 = 2;
    private static final int DATAGRAMS = 2;
    private static final int LEVEL_SOCKET = 1;
    private static final int LEVEL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int DONT_WAIT = 0x40;
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int ADDRESS_BYTES = 16;
    private static final int HEADER_BYTES = 56;
    private static final int VECTOR = HEADER_BYTES;
    private static final int CONTROL = VECTOR + 16;
    private static final int CONTROL_BYTES = 24;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment message = arena.allocate(CONTROL + CONTROL_BYTES, Long.BYTES);
    private final int fd;

    /** A socket at one address and port, connected to another. */
    BareSocket(InetAddress own, int ownPort, InetAddress peer, int peerPort) {
        fd = open();
        // Privileged processes get what they ask for, others what the system allows.
        for (int option : new int[] {8, 7, 33, 32}) {
            setOption(LEVEL_SOCKET, option, BUFFER_BYTES);
        }
        call(BIND, "bind", own, ownPort);
        call(CONNECT, "connect", peer, peerPort);
        message.set(LONG, 16, message.address() + VECTOR);
        message.set(LONG, 24, 1);
        message.set(LONG, 32, message.address() + CONTROL);
        message.set(LONG, 40, CONTROL_BYTES);
        message.set(LONG, CONTROL, 18);
        message.set(INT, CONTROL + 8, LEVEL_UDP);
        message.set(INT, CONTROL + 12, UDP_SEGMENT);
    }

    private static MethodHandle link(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        return linker.downcallHandle(symbols.findOrThrow(name), type);
    }

    private static int open() {
        try {
            return (int) SOCKET.invokeExact(IPV4, DATAGRAMS, 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void call(MethodHandle named, String what, InetAddress address, int port) {
        MemorySegment name = arena.allocate(ADDRESS_BYTES, Long.BYTES);
        name.set(SHORT, 0, (short) IPV4);
        name.set(NETWORK_SHORT, 2, (short) port);
        MemorySegment.copy(address.getAddress(), 0, name, ValueLayout.JAVA_BYTE, 4, 4);
        int result;
        try {
            result = (int) named.invokeExact(fd, name.address(), ADDRESS_BYTES);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (result != 0) {
            throw new IllegalStateException(what + " " + address.getHostAddress() + " port " + port);
        }
    }

    private boolean setOption(int level, int option, int value) {
        MemorySegment number = arena.allocate(INT);
        number.set(INT, 0, value);
        try {
            return (int) SET_OPTION.invokeExact(fd, level, option, number.address(), Integer.BYTES) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on datagrams that came together are received together. */
    void receiveTogether() {
        if (!setOption(LEVEL_UDP, UDP_GRO, 1)) {
            throw new IllegalStateException("this kernel has no UDP_GRO");
        }
    }

    /** Sends one datagram. */
    void send(MemorySegment memory, long at, long bytes) {
        try {
            if ((long) SEND.invokeExact(fd, memory.address() + at, bytes, 0) < 0) {
                throw new IllegalStateException("send");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends datagrams of one size with one call. */
    void sendTogether(MemorySegment memory, long bytes, int segmentBytes) {
        message.set(LONG, VECTOR, memory.address());
        message.set(LONG, VECTOR + 8, bytes);
        message.set(SHORT, CONTROL + 16, (short) segmentBytes);
        try {
            if ((long) SEND_MESSAGE.invokeExact(fd, message.address(), 0) < 0) {
                throw new IllegalStateException("sendmsg");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Looks for a datagram, or several that came together; its bytes, or a negative number. */
    long receive(MemorySegment memory) {
        try {
            return (long) RECEIVE.invokeExact(fd, memory.address(), memory.byteSize(), DONT_WAIT);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int _ = (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        arena.close();
    }
}
