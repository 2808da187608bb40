package dev.doorbell.soft.fault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Memory for packets that are held back, used again and again. Guarded by its user's lock. */
final class PacketPool {
    private static final int SLAB = 64;

    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private int bytes;

    /** A copy of a packet, in memory that may be longer. */
    MemorySegment copy(MemorySegment memory, long at, int length) {
        if (length > bytes || free.isEmpty()) {
            grow(length);
        }
        MemorySegment copy = free.removeLast();
        MemorySegment.copy(memory, at, copy, 0, length);
        return copy;
    }

    /** Takes memory back. */
    void release(MemorySegment packet) {
        if (packet.byteSize() == bytes) {
            free.addLast(packet);
        }
    }

    private void grow(int length) {
        if (length > bytes) {
            free.clear();
            bytes = Math.max(512, Integer.highestOneBit(length - 1) << 1);
        }
        MemorySegment slab = Arena.ofAuto().allocate((long) SLAB * bytes, 64);
        for (int index = 0; index < SLAB; index++) {
            free.addLast(slab.asSlice((long) index * bytes, bytes));
        }
    }
}
