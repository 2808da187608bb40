package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Sleeps until one of several sockets has something to receive, or until it is woken.
 *
 * <p>Thread rules: one thread waits at a time; any thread may wake it, before or while it waits. Interrupting the
 * waiting thread has no effect.
 */
public final class DescriptorWait implements AutoCloseable {
    private static final int POLL_FD_SIZE = 8;
    private static final int POLL_EVENTS = 4;
    private static final int POLLIN = 1;
    private static final int TIMESPEC_SIZE = 16;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final List<UdpSocket> sockets;
    private final SystemFile alarm;
    private final MemorySegment memory;
    private final MemorySegment one;
    private final long timeAt;
    private final long countAt;
    private volatile boolean closing;

    /** @throws KernelException if there is no descriptor left */
    public DescriptorWait(List<UdpSocket> sockets) {
        int fd = Libc.eventCounter();
        if (fd < 0) {
            throw new KernelException(-fd, "no descriptor to wake a sleeping thread with (ulimit -n)");
        }
        this.alarm = new SystemFile(fd);
        this.sockets = List.copyOf(sockets);
        this.timeAt = (long) POLL_FD_SIZE * (sockets.size() + 1);
        this.countAt = timeAt + TIMESPEC_SIZE;
        this.memory = Arena.ofAuto().allocate(countAt + Long.BYTES, Long.BYTES);
        this.one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        Host.setLong(one, 0, 1);
    }

    /**
     * Waits until a socket can be read, until {@link #wake()}, or for this long; {@link Long#MAX_VALUE} is for ever.
     * Returns at once when the sockets or this object are being closed.
     */
    public void await(long timeoutNs) {
        int entered = 0;
        try {
            while (entered < sockets.size()) {
                if (!sockets.get(entered).file().enter(0)) {
                    return;
                }
                put(entered, sockets.get(entered).file().fd());
                entered++;
            }
            if (!closing && alarm.enter(0)) {
                try {
                    put(entered, alarm.fd());
                    sleep(timeoutNs);
                } finally {
                    alarm.exit(0);
                }
            }
        } finally {
            while (entered > 0) {
                sockets.get(--entered).file().exit(0);
            }
        }
    }

    private void sleep(long timeoutNs) {
        Host.setLong(memory, timeAt, timeoutNs / NS_PER_SECOND);
        Host.setLong(memory, timeAt + Long.BYTES, timeoutNs % NS_PER_SECOND);
        try {
            int ready = Libc.poll(memory.address(), sockets.size() + 1, memory.address() + timeAt);
            long answer = (long) sockets.size() * POLL_FD_SIZE + POLL_EVENTS + Short.BYTES;
            if (ready > 0 && Host.getUnsignedShort(memory, answer) != 0) {
                // Takes the wake-up back; a later one wakes again.
                Libc.read(alarm.fd(), memory.address() + countAt, Long.BYTES);
            }
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    private void put(int index, int fd) {
        long at = (long) index * POLL_FD_SIZE;
        Host.setInt(memory, at, fd);
        Host.setShort(memory, at + POLL_EVENTS, POLLIN);
        Host.setShort(memory, at + POLL_EVENTS + Short.BYTES, 0);
    }

    /** Wakes whoever waits, or the next who does. */
    public void wake() {
        try {
            alarm.write(1, one.address(), Long.BYTES);
        } finally {
            Reference.reachabilityFence(one);
        }
    }

    /** Ends a wait and all later ones, before the sockets are closed. */
    public void release() {
        closing = true;
        wake();
    }

    /** Ends a wait and frees the descriptor. Idempotent. */
    @Override
    public void close() {
        release();
        alarm.close();
    }
}
