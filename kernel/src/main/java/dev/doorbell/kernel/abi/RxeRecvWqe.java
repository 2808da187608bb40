package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A receive work request in a ring of rxe; {@link RxeSge}s follow.
 *
 * <pre>
 *   struct rxe_recv_wqe
 *      0  u64    wr_id           identifier that comes back in the completion
 *      8  u32    reserved        0
 *     12  u32    padding         0
 *     16  u32    dma.length      bytes of all elements
 *     20  u32    dma.resid       bytes that are left: all of them at first, then the kernel counts it down
 *     24  u32    dma.cur_sge     0; the kernel's
 *     28  u32    dma.num_sge     elements that follow
 *     32  u32    dma.sge_offset  0; the kernel's
 *     36  u32    dma.reserved    0
 *     40  bytes in all
 * </pre>
 */
public final class RxeRecvWqe {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    private static final int WR_ID = 0;
    private static final int DMA_LENGTH = 16;
    private static final int DMA_RESID = 20;
    private static final int DMA_CUR_SGE = 24;
    private static final int DMA_NUM_SGE = 28;
    private static final int DMA_SGE_OFFSET = 32;

    private RxeRecvWqe() {}

    /** Identifier that comes back in the completion. */
    public static long wrId(MemorySegment segment, long at) {
        return Host.getLong(segment, at + WR_ID);
    }

    /** Stores {@link #wrId}. */
    public static void setWrId(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + WR_ID, value);
    }

    /** Bytes of all elements. */
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

    /** Stores everything but {@link #wrId}, as a program leaves it to the kernel, with as few accesses as possible. */
    public static void setMessage(MemorySegment segment, long at, int length, int elements) {
        Host.setInts(segment, at + DMA_LENGTH, length, length);
        Host.setInts(segment, at + DMA_CUR_SGE, 0, elements);
        Host.setInts(segment, at + DMA_SGE_OFFSET, 0, 0);
    }

    /** Where the scatter/gather element with this number lies, for {@link RxeSge}. */
    public static long sge(long at, int index) {
        return at + SIZE + (long) index * RxeSge.SIZE;
    }

    /** The work request and its elements on one line; at most as many elements as the segment has room for. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at) + RxeSge.printList(segment, sge(at, 0), dmaNumSge(segment, at));
    }

    static Layout layout() {
        return Layout.of("rxe_recv_wqe", SIZE)
                .u64("wr_id", WR_ID)
                .reserved("reserved", 8, 4)
                .reserved("padding", 12, 4)
                .u32("dma.length", DMA_LENGTH)
                .u32("dma.resid", DMA_RESID)
                .u32("dma.cur_sge", DMA_CUR_SGE)
                .u32("dma.num_sge", DMA_NUM_SGE)
                .u32("dma.sge_offset", DMA_SGE_OFFSET)
                .reserved("dma.reserved", 36, 4);
    }
}
