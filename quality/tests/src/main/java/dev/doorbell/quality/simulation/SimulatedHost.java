package dev.doorbell.quality.simulation;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One host: a device, a completion queue, and memory that is cut into slots. */
final class SimulatedHost implements AutoCloseable {
    private static final int ALIGNMENT = 64;

    /** Bytes behind a message that must stay as they are. */
    private static final int FENCE = 16;

    final Context context;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final MemoryRegion region;
    private final Arena arena = Arena.ofShared();
    private final long slotBytes;
    private final long seed;

    /**
     * A host with memory.
     *
     * @param slots slots of memory
     * @param bytes bytes of a message in a slot
     */
    SimulatedHost(Device device, int completionEntries, int slots, int bytes, long seed) {
        this.seed = seed;
        this.slotBytes = (Math.max(bytes, Long.BYTES) + FENCE + ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
        context = device.open();
        domain = context.allocateProtectionDomain();
        completions = context.createCompletionQueue(completionEntries);
        region = domain.register(
                arena.allocate(slots * slotBytes, 4096),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
    }

    /** Where a slot starts. */
    long at(int slot) {
        return slot * slotBytes;
    }

    MemorySegment memory() {
        return region.segment();
    }

    /** Fills a slot with a message. */
    void fill(int slot, long message, int bytes) {
        long at = at(slot);
        int whole = bytes / Long.BYTES;
        for (int word = 0; word < whole; word++) {
            Host.setLong(memory(), at + (long) word * Long.BYTES, word(message, word));
        }
        long last = word(message, whole);
        for (int offset = whole * Long.BYTES; offset < bytes; offset++) {
            Host.setByte(memory(), at + offset, (int) (last >>> (offset % Long.BYTES * Byte.SIZE)));
        }
    }

    /** Empties a slot. */
    void clear(int slot) {
        memory().asSlice(at(slot), slotBytes).fill((byte) 0);
    }

    /** Looks at every byte of a message, {@code skip} bytes into a slot, and at what is behind it. */
    void verify(int slot, int skip, long message, int bytes, String what) {
        long at = at(slot) + skip;
        for (int offset = 0; offset < bytes; offset++) {
            if (offset % Long.BYTES == 0
                    && offset + Long.BYTES <= bytes
                    && longAt(at + offset) == word(message, offset / Long.BYTES)) {
                offset += Long.BYTES - 1;
                continue;
            }
            int expected = (int) (word(message, offset / Long.BYTES) >>> (offset % Long.BYTES * Byte.SIZE)) & 0xff;
            int found = Host.getUnsignedByte(memory(), at + offset);
            check(found == expected, what, "byte " + offset + " is " + found + ", not " + expected);
        }
        for (long end = at + bytes; end < at(slot) + slotBytes; end++) {
            check(Host.getUnsignedByte(memory(), end) == 0, what, "something was written behind it");
        }
    }

    private long longAt(long at) {
        return at % Long.BYTES == 0 ? Host.getLong(memory(), at) : ~word(0, 0);
    }

    /** A number in a slot. */
    long number(int slot) {
        return Host.getLong(memory(), at(slot));
    }

    private static void check(boolean right, String what, String wrong) {
        if (!right) {
            throw new AssertionError(what + ": " + wrong);
        }
    }

    private long word(long message, int index) {
        long mixed = (seed ^ message * 0x9e3779b97f4a7c15L) + index * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 29) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 32;
    }

    @Override
    public void close() {
        context.close();
        arena.close();
    }
}
