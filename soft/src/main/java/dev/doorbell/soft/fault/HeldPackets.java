package dev.doorbell.soft.fault;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Packets whose time has not come. Any thread. */
final class HeldPackets {
    private static final long NEVER = Long.MAX_VALUE;

    private final SpinLock lock = new SpinLock();
    private final PacketPool pool = new PacketPool();
    private final PriorityQueue<Held> packets =
            new PriorityQueue<>(Comparator.comparingLong(Held::timeNs).thenComparingLong(Held::order));
    private long order;
    private volatile long deadlineNs = NEVER;

    /** What a packet has beside its bytes: which way it goes, between whom, and its {@link dev.doorbell.soft.link.IpFields}. */
    record Envelope(Direction direction, Gid source, Gid destination, long fields) {}

    /** A copy of a packet; the memory may be longer than the packet. */
    record Held(Envelope envelope, long timeNs, long order, MemorySegment memory, int length) {}

    /**
     * Holds a copy of a packet until a time.
     *
     * @return whether that is earlier than all others'
     */
    boolean add(Envelope envelope, long timeNs, MemorySegment memory, long at, int length) {
        lock.lock();
        try {
            MemorySegment copy = pool.copy(memory, at, length);
            packets.add(new Held(envelope, timeNs, order++, copy, length));
            boolean first = timeNs < deadlineNs;
            if (first) {
                deadlineNs = timeNs;
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next packet whose time has come; null if there is none. It is given back by {@link #release}. */
    @Nullable
    Held poll(long nowNs) {
        if (deadlineNs > nowNs) {
            return null;
        }
        lock.lock();
        try {
            Held first = packets.peek();
            if (first == null || first.timeNs() > nowNs) {
                return null;
            }
            packets.remove();
            Held next = packets.peek();
            deadlineNs = next == null ? NEVER : next.timeNs();
            return first;
        } finally {
            lock.unlock();
        }
    }

    void release(Held packet) {
        lock.lock();
        pool.release(packet.memory());
        lock.unlock();
    }

    /** When the next one's time comes; {@link Long#MAX_VALUE} if there is none. */
    long deadlineNs() {
        return deadlineNs;
    }

    void clear() {
        lock.lock();
        try {
            packets.forEach(packet -> pool.release(packet.memory()));
            packets.clear();
            deadlineNs = NEVER;
        } finally {
            lock.unlock();
        }
    }
}
