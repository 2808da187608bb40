package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * System calls of sockets, in the manner of {@link Libc}: what the call returned, or the errno as a negative number.
 * Apart from {@link Libc} so that programs without sockets do not link them.
 */
final class SocketCalls {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle BIND = Libc.link("bind", FunctionDescriptor.of(INT, INT, LONG, INT));
    private static final MethodHandle CONNECT = Libc.link("connect", FunctionDescriptor.of(INT, INT, LONG, INT));
    private static final MethodHandle NAME = Libc.link("getsockname", FunctionDescriptor.of(INT, INT, LONG, LONG));
    private static final MethodHandle SET_OPTION =
            Libc.link("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, INT));
    private static final MethodHandle GET_OPTION =
            Libc.link("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, LONG));

    /** For calls that never wait: the VM does not change the thread's state, which it would with every look at a socket. */
    private static final Linker.Option SHORT = Linker.Option.critical(false);

    private static final MethodHandle SEND =
            Libc.link("send", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT), SHORT);
    private static final MethodHandle SEND_MESSAGE =
            Libc.link("sendmsg", FunctionDescriptor.of(LONG, INT, LONG, INT), SHORT);
    private static final MethodHandle RECEIVE_FROM =
            Libc.link("recvfrom", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, LONG), SHORT);
    private static final MethodHandle RECEIVE_MESSAGE =
            Libc.link("recvmsg", FunctionDescriptor.of(LONG, INT, LONG, INT), SHORT);
    private static final MethodHandle RECEIVE_MESSAGES =
            Libc.link("recvmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT, LONG), SHORT);

    private SocketCalls() {}

    /** Gives a socket its address. */
    static int bind(int fd, long address, int length) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            return Libc.outcome((int) BIND.invokeExact(captured, fd, address, length), captured);
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Gives a socket the one address that it sends to and receives from. */
    static int connect(int fd, long address, int length) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            return Libc.outcome((int) CONNECT.invokeExact(captured, fd, address, length), captured);
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Reads the socket's own address; {@code length} is the address of its length, which changes. */
    static int name(int fd, long address, long length) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            return Libc.outcome((int) NAME.invokeExact(captured, fd, address, length), captured);
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Sets an option to the bytes at {@code value}. */
    static int setOption(int fd, int level, int name, long value, int length) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            return Libc.outcome((int) SET_OPTION.invokeExact(captured, fd, level, name, value, length), captured);
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Reads an option; {@code length} is the address of its length, which changes. */
    static int getOption(int fd, int level, int name, long value, long length) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            return Libc.outcome((int) GET_OPTION.invokeExact(captured, fd, level, name, value, length), captured);
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Sends a datagram to where the socket is connected; with a flag that forbids waiting. Returns the bytes sent. */
    static long send(int fd, long bytes, long length, int flags) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            long result;
            do {
                result = Libc.outcome((long) SEND.invokeExact(captured, fd, bytes, length, flags), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Sends the {@code msghdr} at {@code message}; with a flag that forbids waiting. Returns the bytes sent. */
    static long sendMessage(int fd, long message, int flags) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            long result;
            do {
                result = Libc.outcome((long) SEND_MESSAGE.invokeExact(captured, fd, message, flags), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /**
     * Receives a datagram; with a flag that forbids waiting.
     *
     * @param source address of room for the sender's address
     * @param sourceLength address of the length of that room, which changes
     * @return the bytes received
     */
    static long receiveFrom(int fd, long bytes, long length, int flags, long source, long sourceLength) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            long result;
            do {
                result = Libc.outcome(
                        (long) RECEIVE_FROM.invokeExact(captured, fd, bytes, length, flags, source, sourceLength),
                        captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Receives into the {@code msghdr} at {@code message}; with a flag that forbids waiting. Returns the bytes received. */
    static long receiveMessage(int fd, long message, int flags) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            long result;
            do {
                result = Libc.outcome((long) RECEIVE_MESSAGE.invokeExact(captured, fd, message, flags), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }

    /** Receives into up to {@code count} structs {@code mmsghdr}; with a flag that forbids waiting. Returns how many were filled. */
    static int receiveMessages(int fd, long messages, int count, int flags) {
        MemorySegment captured = Libc.CAPTURED.get();
        try {
            int result;
            do {
                result = Libc.outcome(
                        (int) RECEIVE_MESSAGES.invokeExact(captured, fd, messages, count, flags, 0L), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw Libc.unexpected(t);
        }
    }
}
