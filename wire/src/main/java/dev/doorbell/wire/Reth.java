package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The RDMA header: which memory of the receiver a WRITE, READ, FLUSH or ATOMIC WRITE concerns.
 *
 * <pre>
 *      0  be64  va         virtual address
 *      8  be32  rkey       key of the memory
 *     12  be32  dmaLength  bytes of the whole message
 *     16  bytes in all
 * </pre>
 */
public final class Reth {
    /** Bytes of the header. */
    public static final int SIZE = 16;

    private static final int VA = 0;
    private static final int RKEY = 8;
    private static final int DMA_LENGTH = 12;

    private Reth() {}

    /** Virtual address. */
    public static long va(MemorySegment segment, long at) {
        return Be.getLong(segment, at + VA);
    }

    /** Stores {@link #va}. */
    public static void setVa(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + VA, value);
    }

    /** Key of the memory. */
    public static int rkey(MemorySegment segment, long at) {
        return Be.getInt(segment, at + RKEY);
    }

    /** Stores {@link #rkey}. */
    public static void setRkey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + RKEY, value);
    }

    /** Bytes of the whole message. */
    public static long dmaLength(MemorySegment segment, long at) {
        return Be.getUnsignedInt(segment, at + DMA_LENGTH);
    }

    /** Stores {@link #dmaLength}. */
    public static void setDmaLength(MemorySegment segment, long at, long value) {
        Be.setInt(segment, at + DMA_LENGTH, (int) value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "RETH va=0x%x rkey=0x%08x length=%d"
                .formatted(va(segment, at), rkey(segment, at), dmaLength(segment, at));
    }
}
