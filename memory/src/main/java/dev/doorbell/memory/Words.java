package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Native memory that a driver writes work requests and doorbells to, word by word, where a message is a dozen of words and each
 * nanosecond counts. A segment is checked anew for each word: its class, bounds and liveness, and whether it may be written, which
 * takes several times the instructions of the store. Where this module has native access, words are reached by address instead,
 * and <em>nothing is checked</em>; without it, all of it is.
 *
 * <p>So who calls answers for two things. Offsets are masked, or were compared with the size, once. And the memory is there: what
 * was allocated is referred to from here, and what a kernel mapped is taken back only when no turn at a queue can begin any more.
 * Nothing that came from a peer, a kernel or a program may be an offset otherwise. The architecture tests say who may use it.
 *
 * <p>Numbers are big-endian, as devices want them. No access orders another.
 */
public final class Words {
    private static final VarHandle BE_INT = exact(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN));
    private static final VarHandle BE_LONG = exact(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN));
    private static final VarHandle LONG = exact(ValueLayout.JAVA_LONG_UNALIGNED);

    private static final boolean BY_ADDRESS = Words.class.getModule().isNativeAccessEnabled();

    /** A constant for the compilers, which then see through all of it. */
    private static final MemorySegment ALL =
            BY_ADDRESS ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : MemorySegment.NULL;

    /** Addresses have fewer bits than this. Applying it tells the compilers that they lie in {@link #ALL}. */
    private static final long ADDRESS = Long.MAX_VALUE >>> 1;

    private final MemorySegment segment;
    private final long address;

    /** Words of native memory; a read-only segment makes no sense here. */
    public Words(MemorySegment segment) {
        if (!segment.isNative() || segment.isReadOnly()) {
            throw new IllegalArgumentException("words are stored to native memory that can be written: " + segment);
        }
        this.segment = segment;
        this.address = segment.address();
    }

    private static VarHandle exact(ValueLayout layout) {
        return layout.varHandle().withInvokeExactBehavior();
    }

    /** The memory itself. */
    public MemorySegment segment() {
        return segment;
    }

    private MemorySegment memory() {
        return BY_ADDRESS ? ALL : segment;
    }

    private long place(long at) {
        return BY_ADDRESS ? address + at & ADDRESS : at;
    }

    /** Stores a big-endian number. */
    public void setInt(long at, int value) {
        BE_INT.set(memory(), place(at), value);
    }

    /** A big-endian number. */
    public long getLong(long at) {
        return (long) BE_LONG.get(memory(), place(at));
    }

    /** Stores a big-endian number. */
    public void setLong(long at, long value) {
        BE_LONG.set(memory(), place(at), value);
    }

    /** Stores two big-endian numbers, one behind the other. */
    public void setLongs(long at, long first, long second) {
        MemorySegment memory = memory();
        long to = place(at);
        BE_LONG.set(memory, to, first);
        BE_LONG.set(memory, to + 8, second);
    }

    /** Copies 64 bytes in eight words, in order, each with one access. */
    public void copyBlock(long at, Words target, long targetAt) {
        MemorySegment source = memory();
        MemorySegment memory = target.memory();
        long from = place(at);
        long to = target.place(targetAt);
        LONG.set(memory, to, (long) LONG.get(source, from));
        LONG.set(memory, to + 8, (long) LONG.get(source, from + 8));
        LONG.set(memory, to + 16, (long) LONG.get(source, from + 16));
        LONG.set(memory, to + 24, (long) LONG.get(source, from + 24));
        LONG.set(memory, to + 32, (long) LONG.get(source, from + 32));
        LONG.set(memory, to + 40, (long) LONG.get(source, from + 40));
        LONG.set(memory, to + 48, (long) LONG.get(source, from + 48));
        LONG.set(memory, to + 56, (long) LONG.get(source, from + 56));
    }

    /**
     * Stores a big-endian number of four bytes and, behind it, bytes of a segment, which is checked. Nothing is left of what was
     * in the last word.
     *
     * @param at a multiple of eight
     * @param length from 8 to 64
     */
    public void fill(long at, int number, MemorySegment from, long offset, int length) {
        MemorySegment memory = memory();
        long to = place(at);
        long first = Integer.toUnsignedLong((int) BE_INT.get(from, offset));
        BE_LONG.set(memory, to, (long) number << Integer.SIZE | first);
        int done = Integer.BYTES;
        to += Integer.BYTES;
        int words = length - done >> 3;
        // No loop: to set one up takes longer than so few words.
        if ((words & 4) != 0) {
            LONG.set(memory, to + done, (long) LONG.get(from, offset + done));
            LONG.set(memory, to + done + 8, (long) LONG.get(from, offset + done + 8));
            LONG.set(memory, to + done + 16, (long) LONG.get(from, offset + done + 16));
            LONG.set(memory, to + done + 24, (long) LONG.get(from, offset + done + 24));
            done += 32;
        }
        if ((words & 2) != 0) {
            LONG.set(memory, to + done, (long) LONG.get(from, offset + done));
            LONG.set(memory, to + done + 8, (long) LONG.get(from, offset + done + 8));
            done += 16;
        }
        if ((words & 1) != 0) {
            LONG.set(memory, to + done, (long) LONG.get(from, offset + done));
            done += 8;
        }
        if (done < length) {
            // The last eight bytes, of which some are there already.
            long last = (long) BE_LONG.get(from, offset + length - Long.BYTES);
            BE_LONG.set(memory, to + done, last << (Long.BYTES - length + done << 3));
        }
    }
}
