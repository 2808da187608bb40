package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A bounded queue of packets from many senders to one receiver, in memory of its own.
 *
 * <p>Each slot has a turn: a sender may fill the slot at position p while its turn is p, the receiver may read it while
 * its turn is p + 1, and then passes it on to p + slots.
 */
final class PacketQueue {
    private final int mask;
    private final int slotBytes;
    private final MemorySegment memory;
    private final int[] lengths;
    private final long[] fields;
    private final Gid[] sources;
    private final Gid[] destinations;
    private final AtomicLongArray turns;
    private final AtomicLong tail = new AtomicLong();

    /** Written by the receiver only. */
    private long head;

    PacketQueue(int slots, int slotBytes) {
        if (Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(slots + " slots are not a power of two");
        }
        this.mask = slots - 1;
        this.slotBytes = slotBytes;
        this.memory = Arena.ofAuto().allocate((long) slots * slotBytes, 64);
        this.lengths = new int[slots];
        this.fields = new long[slots];
        this.sources = new Gid[slots];
        this.destinations = new Gid[slots];
        this.turns = new AtomicLongArray(slots);
        Arrays.fill(sources, Gid.ZERO);
        Arrays.fill(destinations, Gid.ZERO);
        for (int slot = 0; slot < slots; slot++) {
            turns.setPlain(slot, slot);
        }
    }

    /** Copies a packet in, with its {@link IpFields}; false if there is no room. Any thread. */
    boolean offer(MemorySegment packet, int length, Gid source, Gid destination, long marks) {
        long position = tail.get();
        while (true) {
            long turn = turns.getAcquire((int) position & mask);
            if (turn == position) {
                if (tail.compareAndSet(position, position + 1)) {
                    break;
                }
                position = tail.get();
            } else if (turn < position) {
                return false;
            } else {
                position = tail.get();
            }
        }
        int slot = (int) position & mask;
        MemorySegment.copy(packet, 0, memory, (long) slot * slotBytes, length);
        lengths[slot] = length;
        fields[slot] = marks;
        sources[slot] = source;
        destinations[slot] = destination;
        turns.setRelease(slot, position + 1);
        return true;
    }

    /** Whether less than half of the slots are taken, as far as can be seen. Any thread. */
    boolean hasRoom() {
        long position = tail.get();
        return turns.getAcquire((int) (position + (mask >>> 1)) & mask) >= position;
    }

    /** Whether the next packet is complete. Any thread: a wrong answer is possible only while the receiver is at work. */
    boolean hasNext() {
        long position = head;
        return turns.getAcquire((int) position & mask) == position + 1;
    }

    /** Hands the next packet over; false if there is none. One thread at a time. */
    boolean poll(PacketSink sink) {
        if (!hasNext()) {
            return false;
        }
        int slot = (int) head & mask;
        sink.header(fields[slot]);
        sink.onPacket(memory, (long) slot * slotBytes, lengths[slot], sources[slot], destinations[slot]);
        long position = head;
        head = position + 1;
        turns.setRelease(slot, position + 1 + mask);
        return true;
    }
}
