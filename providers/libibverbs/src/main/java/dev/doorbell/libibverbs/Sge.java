package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A scatter/gather element in C.
 *
 * <pre>
 *   struct ibv_sge
 *      0  u64  addr
 *      8  u32  length
 *     12  u32  lkey
 *     16  bytes in all
 * </pre>
 */
final class Sge {
    static final int SIZE = 16;
    static final int ADDR = 0;
    static final int LENGTH = 8;
    static final int LKEY = 12;

    private Sge() {}

    static void set(MemorySegment list, long at, long address, int length, int lkey) {
        Host.setLong(list, at + ADDR, address);
        Host.setInts(list, at + LENGTH, length, lkey);
    }
}
