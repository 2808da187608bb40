package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * System calls. Each method returns what the call returned, or the errno as a negative number, as the kernel itself
 * does. Addresses are plain numbers: the caller keeps the memory alive until the method returns.
 *
 * <p>A call that a signal interrupted is made again. Interrupting a thread has no effect on any of them. None
 * allocates after a thread's first call, except {@link #open}.
 */
public final class Libc {
    /** For {@link #open}: read and write, not inherited by programs that this one starts. */
    public static final int O_RDWR_CLOEXEC = 0x2 | 0x80000;

    private static final int PROT_READ = 0x1;
    private static final int PROT_READ_WRITE = PROT_READ | 0x2;
    private static final int MAP_SHARED = 0x1;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int EVENTFD_FLAGS = 0x80000 | O_NONBLOCK;
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int FOR_EVER = -1;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    // Variadic functions are told where their variable part begins; some platforms pass it differently.
    private static final MethodHandle OPEN =
            link("open", FunctionDescriptor.of(INT, LONG, INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle READ = link("read", FunctionDescriptor.of(LONG, INT, LONG, LONG));
    private static final MethodHandle WRITE = link("write", FunctionDescriptor.of(LONG, INT, LONG, LONG));
    private static final MethodHandle MMAP = link("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
    private static final MethodHandle MUNMAP = link("munmap", FunctionDescriptor.of(INT, LONG, LONG));
    private static final MethodHandle EPOLL_CREATE = link("epoll_create1", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle EPOLL_CTL = link("epoll_ctl", FunctionDescriptor.of(INT, INT, INT, INT, LONG));
    private static final MethodHandle EPOLL_WAIT = link("epoll_wait", FunctionDescriptor.of(INT, INT, LONG, INT, INT));
    private static final MethodHandle IOCTL =
            link("ioctl", FunctionDescriptor.of(INT, INT, LONG, LONG), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FCNTL =
            link("fcntl", FunctionDescriptor.of(INT, INT, INT, LONG), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle EVENTFD = link("eventfd", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle PPOLL = link("ppoll", FunctionDescriptor.of(INT, LONG, LONG, LONG, LONG));
    private static final MethodHandle SOCKET = link("socket", FunctionDescriptor.of(INT, INT, INT, INT));

    /** Where a thread's errno is left; automatic, so that it goes when the thread has gone. */
    static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private Libc() {}

    /** Opens a file that exists. Returns its descriptor. */
    public static int open(String path, int flags) {
        MemorySegment captured = CAPTURED.get();
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocateFrom(path).address();
            int result;
            do {
                result = outcome((int) OPEN.invokeExact(captured, address, flags), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Closes a descriptor. It is gone whatever this returns, also after EINTR: never close twice. */
    public static int close(int fd) {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) CLOSE.invokeExact(captured, fd), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Reads up to {@code length} bytes. */
    public static long read(int fd, long address, long length) {
        MemorySegment captured = CAPTURED.get();
        try {
            long result;
            do {
                result = outcome((long) READ.invokeExact(captured, fd, address, length), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Writes up to {@code length} bytes with one call. */
    public static long write(int fd, long address, long length) {
        MemorySegment captured = CAPTURED.get();
        try {
            long result;
            do {
                result = outcome((long) WRITE.invokeExact(captured, fd, address, length), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Maps {@code length} bytes of a file, shared, to be read and written. Returns the address. */
    public static long mapShared(int fd, long offset, long length) {
        return map(fd, offset, length, PROT_READ_WRITE);
    }

    /** As {@link #mapShared}, to be read alone: some drivers refuse to have such memory written. */
    public static long mapReadOnly(int fd, long offset, long length) {
        return map(fd, offset, length, PROT_READ);
    }

    private static long map(int fd, long offset, long length, int protection) {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((long) MMAP.invokeExact(captured, 0L, length, protection, MAP_SHARED, fd, offset), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Ends a mapping. */
    public static int unmap(long address, long length) {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) MUNMAP.invokeExact(captured, address, length), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A set of descriptors to wait for (epoll). Returns its descriptor. */
    static int epollCreate() {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) EPOLL_CREATE.invokeExact(captured, EPOLL_CLOEXEC), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Changes a set.
     *
     * @param operation EPOLL_CTL_ADD, DEL or MOD
     * @param event address of a struct {@code epoll_event}
     */
    static int epollControl(int epoll, int operation, int fd, long event) {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) EPOLL_CTL.invokeExact(captured, epoll, operation, fd, event), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Waits, without a time limit, until a descriptor of a set is ready.
     *
     * @param events address of room for {@code count} structs {@code epoll_event}
     * @return how many were filled in; 0 if a signal came
     */
    static int epollWait(int epoll, long events, int count) {
        MemorySegment captured = CAPTURED.get();
        try {
            int result = outcome((int) EPOLL_WAIT.invokeExact(captured, epoll, events, count, FOR_EVER), captured);
            return result == -Errno.EINTR ? 0 : result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Waits for a short time until a descriptor is ready.
     *
     * @param pollFds address of {@code count} structs {@code pollfd}
     * @param timeout address of a {@code timespec}
     * @return how many are ready, 0 when the time was up or a signal came
     */
    static int poll(long pollFds, int count, long timeout) {
        MemorySegment captured = CAPTURED.get();
        try {
            int result = outcome((int) PPOLL.invokeExact(captured, pollFds, (long) count, timeout, 0L), captured);
            return result == -Errno.EINTR ? 0 : result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A device's own request. */
    public static int ioctl(int fd, long request, long argument) {
        MemorySegment captured = CAPTURED.get();
        try {
            int result;
            do {
                result = outcome((int) IOCTL.invokeExact(captured, fd, request, argument), captured);
            } while (result == -Errno.EINTR);
            return result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Makes reads of this open file return EAGAIN where they would wait. */
    public static int setNonBlocking(int fd) {
        MemorySegment captured = CAPTURED.get();
        try {
            int flags = outcome((int) FCNTL.invokeExact(captured, fd, F_GETFL, 0L), captured);
            if (flags < 0) {
                return flags;
            }
            return outcome((int) FCNTL.invokeExact(captured, fd, F_SETFL, (long) (flags | O_NONBLOCK)), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A counter that can be polled; never blocks. Returns its descriptor. */
    public static int eventCounter() {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) EVENTFD.invokeExact(captured, 0, EVENTFD_FLAGS), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A socket. Returns its descriptor. */
    public static int socket(int domain, int type, int protocol) {
        MemorySegment captured = CAPTURED.get();
        try {
            return outcome((int) SOCKET.invokeExact(captured, domain, type, protocol), captured);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int outcome(int result, MemorySegment captured) {
        return result == -1 ? -captured.get(INT, 0) : result;
    }

    static long outcome(long result, MemorySegment captured) {
        return result == -1 ? -captured.get(INT, 0) : result;
    }

    static MethodHandle link(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup lookup = linker.defaultLookup();
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, all, 1, options.length);
        return linker.downcallHandle(lookup.findOrThrow(function), descriptor, all);
    }

    /** Method handles declare every exception; what can really come is an error of the machine. */
    static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a system call cannot throw", t);
    }
}
