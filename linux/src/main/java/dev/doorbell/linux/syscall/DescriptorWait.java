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

    private final SystemFile alarm;
    private final MemorySegment one;

    /** Replaced as a whole; whoever waits is woken then. */
    private volatile Call call;

    private volatile boolean closing;

    /** The sockets to wait for, and the arguments of the call. */
    private static final class Call {
        final List<UdpSocket> sockets;
        final long timeAt;
        final long countAt;
        final MemorySegment memory;

        Call(List<UdpSocket> sockets) {
            this.sockets = List.copyOf(sockets);
            this.timeAt = (long) POLL_FD_SIZE * (sockets.size() + 1);
            this.countAt = timeAt + TIMESPEC_SIZE;
            this.memory = Arena.ofAuto().allocate(countAt + Long.BYTES, Long.BYTES);
        }

        void put(int index, int fd) {
            long at = (long) index * POLL_FD_SIZE;
            Host.setInt(memory, at, fd);
            Host.setShort(memory, at + POLL_EVENTS, POLLIN);
            Host.setShort(memory, at + POLL_EVENTS + Short.BYTES, 0);
        }
    }

    /** @throws KernelException if there is no descriptor left */
    public DescriptorWait(List<UdpSocket> sockets) {
        int fd = Libc.eventCounter();
        if (fd < 0) {
            throw new KernelException(-fd, "no descriptor to wake a sleeping thread with (ulimit -n)");
        }
        this.alarm = new SystemFile(fd);
        this.call = new Call(sockets);
        this.one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        Host.setLong(one, 0, 1);
    }

    /** Waits for other sockets from now on. One that is left out may be closed afterwards. */
    public void watch(List<UdpSocket> sockets) {
        call = new Call(sockets);
        wake();
    }

    /**
     * Waits until a socket can be read, until {@link #wake()}, or for this long; {@link Long#MAX_VALUE} is for ever.
     * Returns at once when the sockets or this object are being closed.
     */
    public void await(long timeoutNs) {
        Call present = call;
        int entered = 0;
        try {
            while (entered < present.sockets.size()) {
                SystemFile file = present.sockets.get(entered).file();
                if (!file.enter(0)) {
                    return;
                }
                present.put(entered, file.fd());
                entered++;
            }
            if (!closing && present == call && alarm.enter(0)) {
                try {
                    present.put(entered, alarm.fd());
                    sleep(present, timeoutNs);
                } finally {
                    alarm.exit(0);
                }
            }
        } finally {
            while (entered > 0) {
                present.sockets.get(--entered).file().exit(0);
            }
        }
    }

    private void sleep(Call present, long timeoutNs) {
        MemorySegment memory = present.memory;
        Host.setLong(memory, present.timeAt, timeoutNs / NS_PER_SECOND);
        Host.setLong(memory, present.timeAt + Long.BYTES, timeoutNs % NS_PER_SECOND);
        try {
            int ready = Libc.poll(memory.address(), present.sockets.size() + 1, memory.address() + present.timeAt);
            long answer = (long) present.sockets.size() * POLL_FD_SIZE + POLL_EVENTS + Short.BYTES;
            if (ready > 0 && Host.getUnsignedShort(memory, answer) != 0) {
                // Takes the wake-up back; a later one wakes again.
                Libc.read(alarm.fd(), memory.address() + present.countAt, Long.BYTES);
            }
        } finally {
            Reference.reachabilityFence(memory);
        }
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
