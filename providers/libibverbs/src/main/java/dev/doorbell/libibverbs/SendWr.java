package dev.doorbell.libibverbs;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A send work request in C.
 *
 * <pre>
 *   struct ibv_send_wr
 *      0  u64  wr_id
 *      8  ptr  next
 *     16  ptr  sg_list
 *     24  s32  num_sge
 *     28  s32  opcode
 *     32  u32  send_flags
 *     36  be32 imm_data            or u32 invalidate_rkey
 *     40  u64  rdma.remote_addr    u64 atomic.remote_addr   ptr ud.ah
 *     48  u32  rdma.rkey           u64 atomic.compare_add   u32 ud.remote_qpn
 *     52                                                    u32 ud.remote_qkey
 *     56                           u64 atomic.swap
 *     64                           u32 atomic.rkey
 *     80  ptr  bind_mw.mw
 *     88  u32  bind_mw.rkey
 *     96       bind_mw.bind_info: ptr mr, u64 addr, u64 length, u32 mw_access_flags
 *    128  bytes in all
 * </pre>
 */
final class SendWr {
    static final int SIZE = 128;
    static final int WR_ID = 0;
    static final int NEXT = 8;
    static final int SG_LIST = 16;
    static final int NUM_SGE = 24;
    static final int OPCODE = 28;
    static final int SEND_FLAGS = 32;
    static final int IMM_DATA = 36;
    static final int REMOTE_ADDR = 40;
    static final int RDMA_RKEY = 48;
    static final int COMPARE_ADD = 48;
    static final int SWAP = 56;
    static final int ATOMIC_RKEY = 64;
    static final int AH = 40;
    static final int REMOTE_QPN = 48;
    static final int REMOTE_QKEY = 52;
    static final int MW = 80;
    static final int MW_RKEY = 88;
    static final int BIND_INFO = 96;
    static final int BIND_INFO_SIZE = 32;
    static final int BIND_MR = 96;
    static final int BIND_ADDR = 104;
    static final int BIND_LENGTH = 112;
    static final int BIND_ACCESS = 120;

    private SendWr() {}

    static void open(MemorySegment wrs, long at, long wrId, int opcode) {
        Host.setLong(wrs, at + WR_ID, wrId);
        Host.setInt(wrs, at + OPCODE, opcode);
    }

    static void seal(MemorySegment wrs, long at, int flags, int sges) {
        Host.setInt(wrs, at + NUM_SGE, sges);
        Host.setInt(wrs, at + SEND_FLAGS, flags);
    }

    static void setNext(MemorySegment wrs, long at, long address) {
        Host.setLong(wrs, at + NEXT, address);
    }

    static void setList(MemorySegment wrs, long at, long address) {
        Host.setLong(wrs, at + SG_LIST, address);
    }

    static void setImmediate(MemorySegment wrs, long at, int value) {
        Be.setInt(wrs, at + IMM_DATA, value);
    }

    static void setInvalidate(MemorySegment wrs, long at, int rkey) {
        Host.setInt(wrs, at + IMM_DATA, rkey);
    }

    static void setRemote(MemorySegment wrs, long at, long address, int rkey) {
        Host.setLong(wrs, at + REMOTE_ADDR, address);
        Host.setInt(wrs, at + RDMA_RKEY, rkey);
    }

    static void setAtomic(MemorySegment wrs, long at, long address, int rkey, long compareOrAdd, long swap) {
        Host.setLong(wrs, at + REMOTE_ADDR, address);
        Host.setLong(wrs, at + COMPARE_ADD, compareOrAdd);
        Host.setLong(wrs, at + SWAP, swap);
        Host.setInt(wrs, at + ATOMIC_RKEY, rkey);
    }

    static void setDatagram(MemorySegment wrs, long at, long handle, int queuePair, int qkey) {
        Host.setLong(wrs, at + AH, handle);
        Host.setInt(wrs, at + REMOTE_QPN, queuePair);
        Host.setInt(wrs, at + REMOTE_QKEY, qkey);
    }

    static void setBind(MemorySegment wrs, long at, long window, int nextKey) {
        Host.setLong(wrs, at + MW, window);
        Host.setInt(wrs, at + MW_RKEY, nextKey);
    }

    static void setBindInfo(MemorySegment wrs, long at, long region, long address, long length, int access) {
        Host.setLong(wrs, at + BIND_MR, region);
        Host.setLong(wrs, at + BIND_ADDR, address);
        Host.setLong(wrs, at + BIND_LENGTH, length);
        Host.setInt(wrs, at + BIND_ACCESS, access);
    }
}
