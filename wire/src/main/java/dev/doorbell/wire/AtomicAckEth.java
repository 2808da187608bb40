package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * What an atomic operation found.
 *
 * <pre>
 *      0  be64  original  value that the memory held before
 *      8  bytes in all
 * </pre>
 */
public final class AtomicAckEth {
    /** Bytes of the header. */
    public static final int SIZE = 8;

    private static final int ORIGINAL = 0;

    private AtomicAckEth() {}

    /** Value that the memory held before. */
    public static long original(MemorySegment segment, long at) {
        return Be.getLong(segment, at + ORIGINAL);
    }

    /** Stores {@link #original}. */
    public static void setOriginal(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + ORIGINAL, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "AtomicAckETH original=0x" + Long.toHexString(original(segment, at));
    }
}
