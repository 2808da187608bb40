package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;

/**
 * The entries of a completion queue. Of an entry of 128 bytes the second half is read; data may lie in the first.
 *
 * @param entries a power of two
 * @param shift log2 bytes of an entry
 */
record CqeRing(MemorySegment memory, int entries, int shift) {
    /** The last aligned word of an entry, which ends with the owner bit; the device writes it last. */
    private static final int LAST_WORD = Cqe.SIZE - Integer.BYTES;

    private static final int SMALL = 32;
    private static final byte NOTHING = (byte) (CqeOpcode.INVALID << 4);

    /** Bytes of all entries. */
    long bytes() {
        return (long) entries << shift;
    }

    /** A ring of this shape in memory of its own. */
    CqeRing in(QueueMemory place) {
        return new CqeRing(place.segment(), entries, shift);
    }

    /** Marks all entries as never written. */
    void initialise() {
        for (int i = 0; i < entries; i++) {
            Cqe.setOpAndOwner(memory, entry(i), NOTHING);
        }
    }

    /** Where the entry with this index lies, or its second half. */
    long entry(int index) {
        return ((long) (index & entries - 1) << shift) + (1L << shift) - Cqe.SIZE;
    }

    /** Whether the device has written that entry: what is read of it later was written before. */
    boolean isReady(int index) {
        int word = Shared.getIntAcquire(memory, entry(index) + LAST_WORD) >>> 24;
        return word >>> 4 != CqeOpcode.INVALID && (word & Cqe.OWNER) == ((index & entries) == 0 ? 0 : 1);
    }

    /** Moves an entry to the place of another, whose lap it joins. */
    void move(int from, int to) {
        long target = entry(to);
        int owner = Cqe.opAndOwner(memory, target) & Cqe.OWNER;
        long size = 1L << shift;
        long before = size - Cqe.SIZE;
        MemorySegment.copy(memory, entry(from) - before, memory, target - before, size);
        Cqe.setOpAndOwner(memory, target, Cqe.opAndOwner(memory, target) & ~Cqe.OWNER | owner);
    }

    /**
     * Copies the entries that wait here to a ring into which the device has moved, each one place further than it was: what the device
     * wrote here last is the mark that it moved, which took a place.
     *
     * @param from the first that waits
     * @return how many came along; -1 if there is no mark behind as many as fit there
     */
    int copyTo(CqeRing next, int from) {
        for (int count = 0; count < Math.min(entries, next.entries); count++) {
            int index = from + count;
            if (!isReady(index)) {
                return -1;
            }
            if (Cqe.opcode(memory, entry(index)) == CqeOpcode.RESIZE) {
                return count;
            }
            long size = 1L << shift;
            long target = next.entry(index + 1);
            long before = size - Cqe.SIZE;
            MemorySegment.copy(memory, entry(index) - before, next.memory, target - before, size);
            int owner = (index + 1 & next.entries) == 0 ? 0 : Cqe.OWNER;
            Cqe.setOpAndOwner(next.memory, target, Cqe.opAndOwner(memory, entry(index)) & ~Cqe.OWNER | owner);
        }
        return -1;
    }

    /** Where the data of an entry lie; -1 if it has none inside. */
    long data(long entry) {
        int word = Cqe.opAndOwner(memory, entry);
        if ((word & Cqe.DATA_32) != 0) {
            return entry;
        }
        return dataIsBefore(entry) ? entry - Cqe.SIZE : -1;
    }

    /** Whether data lie in the half before: their message is longer than 32 bytes. */
    boolean dataIsBefore(long entry) {
        return (Cqe.opAndOwner(memory, entry) & (Cqe.DATA_32 | Cqe.DATA_64)) == Cqe.DATA_64 && shift > 6;
    }

    /** How many bytes can be inside of a message of that length. */
    long dataLength(long entry, long length) {
        return Math.min(length, dataIsBefore(entry) ? Cqe.SIZE : SMALL);
    }
}
