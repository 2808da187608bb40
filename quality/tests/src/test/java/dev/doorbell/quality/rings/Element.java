package dev.doorbell.quality.rings;

import dev.doorbell.memory.Host;
import dev.doorbell.memory.SharedRing;
import java.lang.foreign.MemorySegment;

/** An element of a mapped ring. */
record Element(SharedRing ring, int index) {
    MemorySegment memory() {
        return ring.memory();
    }

    long at() {
        return ring.offset(index);
    }

    long id() {
        return Host.getLong(memory(), at());
    }

    /** Changes bits of one byte. */
    void flip(long where, int bits) {
        Host.setByte(memory(), where, Host.getUnsignedByte(memory(), where) ^ bits);
    }

    /** Takes it out of the device's sight: moves the producer's index back before it. */
    void withdraw() {
        ring.producerRelease(index);
    }

    /** Whether it is the last element that the ring's producer has released. */
    boolean isProduced() {
        return ring.producerAcquire() == ring.next(index);
    }
}
