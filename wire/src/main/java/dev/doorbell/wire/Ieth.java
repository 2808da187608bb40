package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The key that the receiver is to invalidate.
 *
 * <pre>
 *      0  be32  rkey  key
 *      4  bytes in all
 * </pre>
 */
public final class Ieth {
    /** Bytes of the header. */
    public static final int SIZE = 4;

    private static final int RKEY = 0;

    private Ieth() {}

    /** Key. */
    public static int rkey(MemorySegment segment, long at) {
        return Be.getInt(segment, at + RKEY);
    }

    /** Stores {@link #rkey}. */
    public static void setRkey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + RKEY, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "IETH rkey=0x%08x".formatted(rkey(segment, at));
    }
}
