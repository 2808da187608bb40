package dev.doorbell.soft.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers in which packets are collected that go out with one send. They are lent to senders for a moment, so that a
 * device with many queue pairs needs few of them.
 *
 * <p>Whoever finds none builds its packet in a place that is sent from never: the packet counts as lost. Waiting is no
 * choice, since one thread may hold several buffers.
 */
final class SendBuffers {
    /** What {@link #take} returns if there is none. */
    static final long NONE = -1;

    private static final int COUNT = 48;

    private final int bytes;
    private final MemorySegment memory;

    /** A bit for each buffer that is free. */
    private final AtomicLong free = new AtomicLong((1L << COUNT) - 1);

    SendBuffers(int bytes) {
        this.bytes = bytes;
        this.memory = Arena.ofAuto().allocate((long) (COUNT + 1) * bytes, 64);
    }

    MemorySegment memory() {
        return memory;
    }

    int bytes() {
        return bytes;
    }

    /** The place where packets are built that nobody sends. */
    long wasteland() {
        return (long) COUNT * bytes;
    }

    /** Offset of a buffer of {@link #bytes()}, or {@link #NONE}. */
    long take() {
        long before = free.get();
        while (before != 0) {
            long lowest = Long.lowestOneBit(before);
            if (free.compareAndSet(before, before & ~lowest)) {
                return (long) Long.numberOfTrailingZeros(lowest) * bytes;
            }
            before = free.get();
        }
        return NONE;
    }

    void give(long buffer) {
        long bit = 1L << (int) (buffer / bytes);
        long before = free.get();
        while (!free.compareAndSet(before, before | bit)) {
            before = free.get();
        }
    }
}
