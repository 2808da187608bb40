package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/**
 * A send work request in a ring of rxe; {@link RxeSge}s, inline bytes or the 8 bytes of an ATOMIC WRITE follow. What
 * stands from byte 24 to 143 depends on the operation: {@link RxeRdmaWr}, {@link RxeAtomicWr}, {@link RxeUdWr},
 * {@link RxeBindWr}, {@link RxeFlushWr}.
 *
 * <pre>
 *   struct rxe_send_wqe
 *      0  u64    wr.wr_id               identifier that comes back in the completion
 *      8  u32    wr.reserved            0
 *     12  u32    wr.opcode              see {@code WorkRequestOpcode}
 *     16  u32    wr.send_flags          see {@code SendFlag}
 *     20  be32   wr.ex.imm_data         immediate data
 *     20  u32    wr.ex.invalidate_rkey  key to invalidate, here or at the peer
 *    144  u32    status                 0; the kernel's
 *    148  u32    state                  0 posted; then the kernel's
 *    152  u64    iova                   remote address of RDMA and atomic operations, once more
 *    160  u32    mask                   0; the kernel's
 *    164  u32    first_psn              0; the kernel's
 *    168  u32    last_psn               0; the kernel's
 *    172  u32    ack_length             0; the kernel's
 *    176  u32    ssn                    0; the kernel's
 *    180  u32    has_rd_atomic          0; the kernel's
 *    184  u32    dma.length             bytes of the message
 *    188  u32    dma.resid              bytes that are left: all of them at first, then the kernel counts it down
 *    192  u32    dma.cur_sge            0; the kernel's
 *    196  u32    dma.num_sge            elements that follow
 *    200  u32    dma.sge_offset         0; the kernel's
 *    204  u32    dma.reserved           0
 *    208  bytes in all
 * </pre>
 */
public final class RxeSendWqe {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    private static final int WR_ID = 0;
    private static final int OPCODE = 12;
    private static final int SEND_FLAGS = 16;
    private static final int IMM_DATA = 20;
    private static final int INVALIDATE_RKEY = 20;
    private static final int STATUS = 144;
    private static final int STATE = 148;
    private static final int IOVA = 152;
    private static final int MASK = 160;
    private static final int FIRST_PSN = 164;
    private static final int LAST_PSN = 168;
    private static final int ACK_LENGTH = 172;
    private static final int SSN = 176;
    private static final int HAS_RD_ATOMIC = 180;
    private static final int DMA_LENGTH = 184;
    private static final int DMA_RESID = 188;
    private static final int DMA_CUR_SGE = 192;
    private static final int DMA_NUM_SGE = 196;
    private static final int DMA_SGE_OFFSET = 200;

    private RxeSendWqe() {}

    /** Identifier that comes back in the completion. */
    public static long wrId(MemorySegment segment, long at) {
        return Host.getLong(segment, at + WR_ID);
    }

    /** Stores {@link #wrId}. */
    public static void setWrId(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + WR_ID, value);
    }

    /** See {@code WorkRequestOpcode}. */
    public static int opcode(MemorySegment segment, long at) {
        return Host.getInt(segment, at + OPCODE);
    }

    /** Stores {@link #opcode}. */
    public static void setOpcode(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + OPCODE, value);
    }

    /** See {@code SendFlag}. */
    public static int sendFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEND_FLAGS);
    }

    /** Stores {@link #sendFlags}. */
    public static void setSendFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEND_FLAGS, value);
    }

    /** Immediate data. */
    public static int immData(MemorySegment segment, long at) {
        return Be.getInt(segment, at + IMM_DATA);
    }

    /** Stores {@link #immData}. */
    public static void setImmData(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + IMM_DATA, value);
    }

    /** Key to invalidate, here or at the peer. */
    public static int invalidateRkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + INVALIDATE_RKEY);
    }

    /** Stores {@link #invalidateRkey}. */
    public static void setInvalidateRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + INVALIDATE_RKEY, value);
    }

    /** 0; the kernel's. */
    public static int status(MemorySegment segment, long at) {
        return Host.getInt(segment, at + STATUS);
    }

    /** Stores {@link #status}. */
    public static void setStatus(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + STATUS, value);
    }

    /** 0 posted; then the kernel's. */
    public static int state(MemorySegment segment, long at) {
        return Host.getInt(segment, at + STATE);
    }

    /** Stores {@link #state}. */
    public static void setState(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + STATE, value);
    }

    /** Remote address of RDMA and atomic operations, once more. */
    public static long iova(MemorySegment segment, long at) {
        return Host.getLong(segment, at + IOVA);
    }

    /** Stores {@link #iova}. */
    public static void setIova(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + IOVA, value);
    }

    /** 0; the kernel's. */
    public static int mask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MASK);
    }

    /** Stores {@link #mask}. */
    public static void setMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MASK, value);
    }

    /** 0; the kernel's. */
    public static int firstPsn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FIRST_PSN);
    }

    /** Stores {@link #firstPsn}. */
    public static void setFirstPsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FIRST_PSN, value);
    }

    /** 0; the kernel's. */
    public static int lastPsn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LAST_PSN);
    }

    /** Stores {@link #lastPsn}. */
    public static void setLastPsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LAST_PSN, value);
    }

    /** 0; the kernel's. */
    public static int ackLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ACK_LENGTH);
    }

    /** Stores {@link #ackLength}. */
    public static void setAckLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ACK_LENGTH, value);
    }

    /** 0; the kernel's. */
    public static int ssn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SSN);
    }

    /** Stores {@link #ssn}. */
    public static void setSsn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SSN, value);
    }

    /** 0; the kernel's. */
    public static int hasRdAtomic(MemorySegment segment, long at) {
        return Host.getInt(segment, at + HAS_RD_ATOMIC);
    }

    /** Stores {@link #hasRdAtomic}. */
    public static void setHasRdAtomic(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + HAS_RD_ATOMIC, value);
    }

    /** Bytes of the message. */
    public static long dmaLength(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + DMA_LENGTH);
    }

    /** Stores {@link #dmaLength}. */
    public static void setDmaLength(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + DMA_LENGTH, (int) value);
    }

    /** Bytes that are left: all of them at first, then the kernel counts it down. */
    public static long dmaResid(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + DMA_RESID);
    }

    /** Stores {@link #dmaResid}. */
    public static void setDmaResid(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + DMA_RESID, (int) value);
    }

    /** 0; the kernel's. */
    public static int dmaCurSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DMA_CUR_SGE);
    }

    /** Stores {@link #dmaCurSge}. */
    public static void setDmaCurSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DMA_CUR_SGE, value);
    }

    /** Elements that follow. */
    public static int dmaNumSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DMA_NUM_SGE);
    }

    /** Stores {@link #dmaNumSge}. */
    public static void setDmaNumSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DMA_NUM_SGE, value);
    }

    /** 0; the kernel's. */
    public static int dmaSgeOffset(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DMA_SGE_OFFSET);
    }

    /** Stores {@link #dmaSgeOffset}. */
    public static void setDmaSgeOffset(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DMA_SGE_OFFSET, value);
    }

    /**
     * Stores the identifier and the operation, and clears what no operation of its own describes, as a program leaves it to
     * the kernel; with as few accesses as possible. What stands from byte 24 to 143 and {@link #setMessage} remain.
     */
    public static void open(MemorySegment segment, long at, long id, int opcode) {
        Host.setLong(segment, at + WR_ID, id);
        Host.setInts(segment, at + OPCODE - Integer.BYTES, 0, opcode);
        Host.setInts(segment, at + SEND_FLAGS, 0, 0);
        Host.setInts(segment, at + STATUS, 0, 0);
        Host.setLong(segment, at + IOVA, 0);
        Host.setInts(segment, at + MASK, 0, 0);
        Host.setInts(segment, at + LAST_PSN, 0, 0);
        Host.setInts(segment, at + SSN, 0, 0);
    }

    /** Stores the flags, the length and the number of elements, as a program leaves them to the kernel. */
    public static void setMessage(MemorySegment segment, long at, int flags, int length, int elements) {
        Host.setInt(segment, at + SEND_FLAGS, flags);
        Host.setInts(segment, at + DMA_LENGTH, length, length);
        Host.setInts(segment, at + DMA_CUR_SGE, 0, elements);
        Host.setInts(segment, at + DMA_SGE_OFFSET, 0, 0);
    }

    /** Where the scatter/gather element with this number lies, for {@link RxeSge}. */
    public static long sge(long at, int index) {
        return at + SIZE + (long) index * RxeSge.SIZE;
    }

    /** Where the bytes of an inline message, or the value of an ATOMIC WRITE, lie. */
    public static long inlineData(long at) {
        return at + SIZE;
    }

    /** Clears everything but the elements, so that only fields that mean something need to be stored. */
    public static void clear(MemorySegment segment, long at) {
        segment.asSlice(at, SIZE).fill((byte) 0);
    }

    /**
     * The work request on one line: what all have, what its operation has, and its elements where it is not inline.
     * Which queue pair it is for is not known here, so a SEND prints without its UD address; see {@link RxeUdWr#print}.
     */
    public static String print(MemorySegment segment, long at) {
        StringBuilder text = new StringBuilder(layout().print(segment, at));
        switch (WorkRequestOpcode.of(opcode(segment, at))) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ, ATOMIC_WRITE ->
                text.append(' ').append(RxeRdmaWr.print(segment, at));
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> text.append(' ').append(RxeAtomicWr.print(segment, at));
            case BIND_MW -> text.append(' ').append(RxeBindWr.print(segment, at));
            case FLUSH -> text.append(' ').append(RxeFlushWr.print(segment, at));
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, LOCAL_INV, TSO, DRIVER1, UNKNOWN -> {}
        }
        if ((sendFlags(segment, at) & SendFlag.INLINE.bit()) == 0) {
            text.append(RxeSge.printList(segment, sge(at, 0), dmaNumSge(segment, at)));
        }
        return text.toString();
    }

    static Layout layout() {
        return Layout.of("rxe_send_wqe", SIZE)
                .u64("wr.wr_id", WR_ID)
                .reserved("wr.reserved", 8, 4)
                .u32("wr.opcode", OPCODE)
                .u32("wr.send_flags", SEND_FLAGS)
                .be32("wr.ex.imm_data", IMM_DATA)
                .u32("wr.ex.invalidate_rkey", INVALIDATE_RKEY)
                .u32("status", STATUS)
                .u32("state", STATE)
                .u64("iova", IOVA)
                .u32("mask", MASK)
                .u32("first_psn", FIRST_PSN)
                .u32("last_psn", LAST_PSN)
                .u32("ack_length", ACK_LENGTH)
                .u32("ssn", SSN)
                .u32("has_rd_atomic", HAS_RD_ATOMIC)
                .u32("dma.length", DMA_LENGTH)
                .u32("dma.resid", DMA_RESID)
                .u32("dma.cur_sge", DMA_CUR_SGE)
                .u32("dma.num_sge", DMA_NUM_SGE)
                .u32("dma.sge_offset", DMA_SGE_OFFSET)
                .reserved("dma.reserved", 204, 4);
    }
}
