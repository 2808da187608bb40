package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.KernelException;
import java.lang.foreign.MemorySegment;

/** Where netlink messages go: the kernel's socket, or a script. Used by one thread at a time. */
interface NetlinkTransport extends AutoCloseable {
    /**
     * Hands a request to the kernel. The kernel may do the work before this returns, so it can block for as long as
     * that takes.
     *
     * @throws KernelException if it was not taken
     */
    void send(MemorySegment message);

    /**
     * Receives one datagram, of one or more messages.
     *
     * @return its bytes, 0 if none came in time
     * @throws KernelException if receiving failed
     */
    int receive(MemorySegment datagram, long timeoutNs);

    @Override
    void close();
}
