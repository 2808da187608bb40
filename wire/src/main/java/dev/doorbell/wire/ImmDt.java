package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * Immediate data: four bytes that reach the program as they are.
 *
 * <pre>
 *      0  be32  immediate  the data, first byte most significant
 *      4  bytes in all
 * </pre>
 */
public final class ImmDt {
    /** Bytes of the header. */
    public static final int SIZE = 4;

    private static final int IMMEDIATE = 0;

    private ImmDt() {}

    /** The data, first byte most significant. */
    public static int immediate(MemorySegment segment, long at) {
        return Be.getInt(segment, at + IMMEDIATE);
    }

    /** Stores {@link #immediate}. */
    public static void setImmediate(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + IMMEDIATE, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "ImmDt 0x%08x".formatted(immediate(segment, at));
    }
}
