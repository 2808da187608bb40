package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Tells when something about the network interfaces of this namespace has changed: one comes, goes, goes up or down, changes
 * its MTU, or an address comes or goes. What it was is for the listener to find out (rtnetlink(7): its messages may be lost).
 *
 * <pre>
 *   sockaddr_nl   0 family 2, host order │ 4 port 4 │ 8 groups 4
 * </pre>
 *
 * <p>Thread rules: any thread. The listener runs in the {@link ReadinessThread}, and must not block.
 */
public final class InterfaceChanges implements AutoCloseable {
    private static final int AF_NETLINK = 16;
    private static final int ROUTE = 0;
    private static final int RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;

    private static final int ADDRESS_SIZE = 12;
    private static final int GROUPS = 8;
    private static final int LINK = 1;
    private static final int IPV4_ADDRESS = 0x10;
    private static final int IPV6_ADDRESS = 0x100;

    /** A message is cut if it is longer; nobody reads it. */
    private static final int BUFFER_BYTES = 1 << 12;

    /** How many messages are read at a time, whatever a busy host sends. */
    private static final int MOST_MESSAGES = 1 << 10;

    private final SystemFile socket;
    private final Runnable listener;
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, Long.BYTES);
    private final ReadinessThread.Watch watch;

    private InterfaceChanges(SystemFile socket, Runnable listener) {
        this.socket = socket;
        this.listener = listener;
        this.watch = ReadinessThread.watch(socket.fd(), this::drain);
    }

    /**
     * Begins to listen.
     *
     * @throws KernelException with the errno, where a container forbids it or nothing is left to listen with
     */
    public static InterfaceChanges listen(Runnable listener) {
        int fd = Libc.socket(AF_NETLINK, RAW_NONBLOCK_CLOEXEC, ROUTE);
        if (fd < 0) {
            throw new KernelException(-fd, "no netlink socket to hear of network interfaces");
        }
        SystemFile socket = new SystemFile(fd);
        boolean listening = false;
        try {
            subscribe(fd);
            InterfaceChanges changes = new InterfaceChanges(socket, listener);
            listening = true;
            return changes;
        } finally {
            if (!listening) {
                socket.close();
            }
        }
    }

    private static void subscribe(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(ADDRESS_SIZE, Integer.BYTES);
            Host.setShort(name, 0, AF_NETLINK);
            Host.setInt(name, GROUPS, LINK | IPV4_ADDRESS | IPV6_ADDRESS);
            int errno = SocketCalls.bind(fd, name.address(), ADDRESS_SIZE);
            if (errno < 0) {
                throw new KernelException(-errno, "a netlink socket to hear of network interfaces");
            }
        }
    }

    private void drain() {
        boolean told = false;
        try {
            long size = 0;
            for (int count = 0; count < MOST_MESSAGES && size != -Errno.EAGAIN && size != -Errno.EBADF; count++) {
                size = socket.read(0, buffer.address(), BUFFER_BYTES);
                // Any other errno means lost messages, such as ENOBUFS.
                told |= size != -Errno.EAGAIN && size != -Errno.EBADF;
            }
        } finally {
            Reference.reachabilityFence(buffer);
        }
        if (told) {
            listener.run();
        }
    }

    /** Listens no more; a call of the listener may still be under way. Idempotent. */
    @Override
    public void close() {
        if (!socket.isClosed()) {
            watch.end();
            socket.close();
        }
    }
}
