package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A receive work request in C.
 *
 * <pre>
 *   struct ibv_recv_wr
 *      0  u64  wr_id
 *      8  ptr  next
 *     16  ptr  sg_list
 *     24  s32  num_sge
 *     32  bytes in all
 * </pre>
 */
final class ReceiveWr {
    static final int SIZE = 32;
    static final int WR_ID = 0;
    static final int NEXT = 8;
    static final int SG_LIST = 16;
    static final int NUM_SGE = 24;

    private ReceiveWr() {}

    static void set(MemorySegment wrs, long at, long wrId, int sges) {
        Host.setLong(wrs, at + WR_ID, wrId);
        Host.setInt(wrs, at + NUM_SGE, sges);
    }

    static void setNext(MemorySegment wrs, long at, long address) {
        Host.setLong(wrs, at + NEXT, address);
    }

    static void setList(MemorySegment wrs, long at, long address) {
        Host.setLong(wrs, at + SG_LIST, address);
    }
}
