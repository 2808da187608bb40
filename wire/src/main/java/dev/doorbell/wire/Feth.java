package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The header of a FLUSH.
 *
 * <pre>
 *      0  be32  word  bits 0 and 1 placement, bits 4 and 5 selectivity
 *      4  bytes in all
 * </pre>
 */
public final class Feth {
    /** Bytes of the header. */
    public static final int SIZE = 4;

    private static final int WORD = 0;

    private Feth() {}

    /** Bits 0 and 1 placement, bits 4 and 5 selectivity. */
    public static int word(MemorySegment segment, long at) {
        return Be.getInt(segment, at + WORD);
    }

    /** Stores {@link #word}. */
    public static void setWord(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + WORD, value);
    }

    /** How far the data must get: 1 globally visible, 2 persistent, 3 both. */
    public static int placement(MemorySegment segment, long at) {
        return word(segment, at) & 0xf;
    }

    /** What is flushed: 0 the range, 1 the whole memory region. */
    public static int selectivity(MemorySegment segment, long at) {
        return word(segment, at) >>> 4 & 0x3;
    }

    /** Stores both. */
    public static void set(MemorySegment segment, long at, int placement, int selectivity) {
        setWord(segment, at, placement & 0xf | (selectivity & 0x3) << 4);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "FETH placement=%d selectivity=%d".formatted(placement(segment, at), selectivity(segment, at));
    }
}
