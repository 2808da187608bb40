package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The header of an atomic request. FETCH ADD has its operand in {@code swapOrAdd}.
 *
 * <pre>
 *      0  be64  va         virtual address, a multiple of 8
 *      8  be32  rkey       key of the memory
 *     12  be64  swapOrAdd  value to store, or to add
 *     20  be64  compare    value to compare with; 0 for FETCH ADD
 *     28  bytes in all
 * </pre>
 */
public final class AtomicEth {
    /** Bytes of the header. */
    public static final int SIZE = 28;

    private static final int VA = 0;
    private static final int RKEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {}

    /** Virtual address, a multiple of 8. */
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

    /** Value to store, or to add. */
    public static long swapOrAdd(MemorySegment segment, long at) {
        return Be.getLong(segment, at + SWAP_OR_ADD);
    }

    /** Stores {@link #swapOrAdd}. */
    public static void setSwapOrAdd(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + SWAP_OR_ADD, value);
    }

    /** Value to compare with; 0 for FETCH ADD. */
    public static long compare(MemorySegment segment, long at) {
        return Be.getLong(segment, at + COMPARE);
    }

    /** Stores {@link #compare}. */
    public static void setCompare(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + COMPARE, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "AtomicETH va=0x%x rkey=0x%08x swapOrAdd=0x%x compare=0x%x"
                .formatted(va(segment, at), rkey(segment, at), swapOrAdd(segment, at), compare(segment, at));
    }
}
