package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The datagram header.
 *
 * <pre>
 *      0  be32  qkey      Q_Key that the receiver must have
 *      4  be8   reserved  0
 *      5  be24  srcQp     queue pair that sent it
 *      8  bytes in all
 * </pre>
 */
public final class Deth {
    /** Bytes of the header. */
    public static final int SIZE = 8;

    private static final int QKEY = 0;
    private static final int SRC_QP = 5;

    private Deth() {}

    /** Q_Key that the receiver must have. */
    public static int qkey(MemorySegment segment, long at) {
        return Be.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + QKEY, value);
    }

    /** Queue pair that sent it. */
    public static int srcQp(MemorySegment segment, long at) {
        return Be.getUnsigned24(segment, at + SRC_QP);
    }

    /** Stores {@link #srcQp}. */
    public static void setSrcQp(MemorySegment segment, long at, int value) {
        Be.set24(segment, at + SRC_QP, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "DETH qkey=0x%08x from=0x%x".formatted(qkey(segment, at), srcQp(segment, at));
    }
}
