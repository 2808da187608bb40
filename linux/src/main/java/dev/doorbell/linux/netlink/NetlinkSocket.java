package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.NldevIds;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.NativeAccess;
import dev.doorbell.linux.syscall.SystemFile;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A netlink socket of the RDMA family. It is not bound, so it hears answers to its own requests and nothing else; a write
 * without an address goes to the kernel.
 */
final class NetlinkSocket implements NetlinkTransport {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;

    private final SystemFile socket;

    private NetlinkSocket(SystemFile socket) {
        this.socket = socket;
    }

    /** @throws KernelException EPROTONOSUPPORT if the kernel has no RDMA, EMFILE, ... */
    static NetlinkSocket open() {
        int fd = NativeAccess.first(
                "opening a netlink socket",
                () -> Libc.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NldevIds.FAMILY_RDMA));
        if (fd < 0) {
            throw new KernelException(-fd, "opening a netlink socket of the RDMA subsystem: " + cause(-fd));
        }
        return new NetlinkSocket(new SystemFile(fd));
    }

    private static String cause(int errno) {
        return switch (errno) {
            case Errno.EPROTONOSUPPORT -> "this kernel has none loaded (modprobe ib_core)";
            case Errno.EMFILE -> "too many open files in this process (ulimit -n)";
            case Errno.EACCES, Errno.EPERM -> "this process may not; a container's system call filter may forbid it";
            default -> "refused";
        };
    }

    @Override
    public void send(MemorySegment message) {
        try {
            long sent = socket.write(0, message.address(), message.byteSize());
            if (sent != message.byteSize()) {
                throw new KernelException(sent < 0 ? (int) -sent : Errno.EIO, "sending a netlink message");
            }
        } finally {
            Reference.reachabilityFence(message);
        }
    }

    @Override
    public int receive(MemorySegment datagram, long timeoutNs) {
        try {
            long size = awaitInput(timeoutNs);
            if (size > 0) {
                size = socket.read(0, datagram.address(), datagram.byteSize());
            }
            if (size < 0) {
                throw new KernelException((int) -size, "receiving a netlink message");
            }
            return (int) size;
        } finally {
            Reference.reachabilityFence(datagram);
        }
    }

    /** A signal does not end the wait: a profiler sends many. */
    private int awaitInput(long timeoutNs) {
        long start = System.nanoTime();
        long left = timeoutNs;
        int ready = 0;
        while (ready == 0 && left > 0) {
            ready = socket.awaitInput(0, left);
            left = timeoutNs - (System.nanoTime() - start);
        }
        return ready;
    }

    @Override
    public void close() {
        socket.close();
    }
}
