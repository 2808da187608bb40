package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import dev.doorbell.memory.SharedRing;
import java.lang.foreign.MemorySegment;

/**
 * The head of every ring that rxe shares with a program: send, receive, shared receive and completion queues.
 *
 * <pre>
 *   struct rxe_queue_buf
 *      0  u32    log2_elem_size  an element has 2^this bytes
 *      4  u32    index_mask      elements minus 1, a power of two minus 1
 *    128  u32    producer_index  who fills elements stores it, with release
 *    256  u32    consumer_index  who takes elements stores it, with release
 *    384  u8[]   data            the elements
 * </pre>
 *
 * <p>Indices run from 0 to {@code index_mask}. The first two fields tell the program what the kernel made; the kernel
 * keeps its own copies and never reads them back.
 */
public final class RxeQueueHeader {
    /** Bytes before the first element. */
    public static final int SIZE = 384;

    private static final int LOG2_ELEM_SIZE = 0;
    private static final int INDEX_MASK = 4;
    private static final int PRODUCER_INDEX = 128;
    private static final int CONSUMER_INDEX = 256;

    private static final int SMALLEST_LOG2_ELEM_SIZE = 6;
    private static final int LARGEST_LOG2_ELEM_SIZE = 20;

    private RxeQueueHeader() {}

    /** Logarithm of the bytes of an element. */
    public static int log2ElemSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LOG2_ELEM_SIZE);
    }

    /** Elements minus 1. */
    public static int indexMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + INDEX_MASK);
    }

    /** The producer's index as it stands in memory, without ordering: for printing. Rings use {@link SharedRing}. */
    public static int producerIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PRODUCER_INDEX);
    }

    /** The consumer's index as it stands in memory, without ordering: for printing. Rings use {@link SharedRing}. */
    public static int consumerIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CONSUMER_INDEX);
    }

    /** Logarithm of the element size that rxe takes for elements of {@code bytes}: a power of two, 64 at least. */
    public static int log2ElemSizeFor(long bytes) {
        int log2 = Long.SIZE - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1);
        return Math.max(log2, SMALLEST_LOG2_ELEM_SIZE);
    }

    /** The mask of a ring that holds {@code elements} at least; the ring then holds as many elements as the mask says. */
    public static int indexMaskFor(int elements) {
        if (elements < 0 || elements >= 1 << 30) {
            throw new IllegalArgumentException("a ring cannot hold " + elements + " elements");
        }
        return elements == 0 ? 0 : Integer.highestOneBit(elements) * 2 - 1;
    }

    /** Bytes of a ring with its head, not rounded to pages. */
    public static long bytes(int log2ElemSize, int indexMask) {
        return SIZE + ((indexMask + 1L) << log2ElemSize);
    }

    /**
     * Makes an empty ring in zeroed memory: a kernel's side of it.
     *
     * @throws IllegalArgumentException if the mask is not a power of two minus one, or the elements do not fit
     */
    public static SharedRing create(MemorySegment memory, int log2ElemSize, int indexMask) {
        SharedRing ring = ring(memory, log2ElemSize, indexMask);
        Host.setInt(memory, LOG2_ELEM_SIZE, log2ElemSize);
        Host.setInt(memory, INDEX_MASK, indexMask);
        ring.producerRelease(0);
        ring.consumerRelease(0);
        return ring;
    }

    /**
     * The ring in memory that a kernel mapped: a program's side of it. Both sizes are read once, here.
     *
     * @throws IllegalArgumentException if the head makes no sense, or the elements do not fit
     */
    public static SharedRing open(MemorySegment memory) {
        int log2ElemSize = log2ElemSize(memory, 0);
        if (log2ElemSize < 0 || log2ElemSize > LARGEST_LOG2_ELEM_SIZE) {
            throw new IllegalArgumentException("ring with elements of 2^" + log2ElemSize + " bytes");
        }
        return ring(memory, log2ElemSize, indexMask(memory, 0));
    }

    private static SharedRing ring(MemorySegment memory, int log2ElemSize, int indexMask) {
        return new SharedRing(memory, PRODUCER_INDEX, CONSUMER_INDEX, SIZE, log2ElemSize, indexMask);
    }

    /** The head on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_queue_buf", SIZE)
                .u32("log2_elem_size", LOG2_ELEM_SIZE)
                .u32("index_mask", INDEX_MASK)
                .reserved("pad_1", 8, 120)
                .u32("producer_index", PRODUCER_INDEX)
                .reserved("pad_2", 132, 124)
                .u32("consumer_index", CONSUMER_INDEX)
                .reserved("pad_3", 260, 124);
    }
}
