package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The address vectors of a context's address handles, by the number that work requests name them with.
 *
 * <p>Thread rules: any thread.
 */
final class AddressTable {
    private static final MemorySegment NOWHERE = Arena.global().allocate(DatagramSegment.SIZE, 8);

    private final BitSet used = new BitSet();
    private volatile MemorySegment[] vectors = {};

    /** Adds an address vector; returns its number. */
    synchronized int put(MemorySegment vector) {
        int number = used.nextClearBit(0);
        used.set(number);
        MemorySegment[] next = vectors;
        if (number >= next.length) {
            int old = next.length;
            next = Arrays.copyOf(next, Math.max(16, old * 2));
            Arrays.fill(next, old, next.length, NOWHERE);
        } else {
            next = next.clone();
        }
        next[number] = vector;
        vectors = next;
        return number;
    }

    synchronized void remove(int number) {
        used.clear(number);
        MemorySegment[] next = vectors.clone();
        next[number] = NOWHERE;
        vectors = next;
    }

    /** Writes a vector into a work request; the peer's keys are still to come. */
    void write(int number, MemorySegment memory, long at) {
        MemorySegment[] now = vectors;
        MemorySegment vector = number >= 0 && number < now.length ? now[number] : NOWHERE;
        MemorySegment.copy(vector, 0, memory, at, DatagramSegment.SIZE);
    }
}
