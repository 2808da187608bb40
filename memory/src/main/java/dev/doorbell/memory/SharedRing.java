package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;

/**
 * A ring of equal, power-of-two sized elements between one producer and one consumer, with both indices in the shared
 * memory itself.
 *
 * <pre>
 *   producerOffset   u32   next element that the producer fills      written by the producer (release)
 *   consumerOffset   u32   next element that the consumer takes      written by the consumer (release)
 *   elementsOffset   element 0 | element 1 | ... | element mask
 * </pre>
 *
 * <p>Indices run from 0 to {@code mask}; the ring is empty when both are equal and full when the producer stands one
 * before the consumer, so it holds {@code mask} elements. A ring of one slot holds nothing: it is what a queue that was
 * asked for with no elements has.
 *
 * <p>The other side's index is untrusted memory: it is masked on every read, and nothing else is derived from it. Each
 * side keeps its own index privately and never reads it back.
 *
 * <p>Thread rules: none of its own. The owner of an end serialises the calls on that end.
 */
public final class SharedRing {
    private final MemorySegment memory;
    private final long producerOffset;
    private final long consumerOffset;
    private final long elementsOffset;
    private final int log2ElementSize;
    private final int mask;

    /**
     * A view of a ring in {@code memory}.
     *
     * @throws IllegalArgumentException if the mask is not a power of two minus one, or the elements do not fit
     */
    public SharedRing(
            MemorySegment memory,
            long producerOffset,
            long consumerOffset,
            long elementsOffset,
            int log2ElementSize,
            int mask) {
        if (mask < 0 || (mask & (mask + 1)) != 0) {
            throw new IllegalArgumentException("ring mask " + mask + " is not a power of two minus one");
        }
        long end = elementsOffset + ((mask + 1L) << log2ElementSize);
        if (log2ElementSize < 0 || log2ElementSize > 30 || end > memory.byteSize()) {
            throw new IllegalArgumentException("ring of " + (mask + 1L) + " elements of 2^" + log2ElementSize
                    + " bytes does not fit in " + memory.byteSize() + " bytes");
        }
        this.memory = memory;
        this.producerOffset = producerOffset;
        this.consumerOffset = consumerOffset;
        this.elementsOffset = elementsOffset;
        this.log2ElementSize = log2ElementSize;
        this.mask = mask;
    }

    /** The memory that holds indices and elements. */
    public MemorySegment memory() {
        return memory;
    }

    /** The most elements that the ring can hold at a time. */
    public int capacity() {
        return mask;
    }

    /** Bytes of one element. */
    public int elementSize() {
        return 1 << log2ElementSize;
    }

    /** Byte offset in {@link #memory()} of the element with this index; the index is masked. */
    public long offset(int index) {
        return elementsOffset + ((long) (index & mask) << log2ElementSize);
    }

    /** The index that follows {@code index}. */
    public int next(int index) {
        return index + 1 & mask;
    }

    /** How many elements lie from {@code consumer} up to {@code producer}. */
    public int count(int producer, int consumer) {
        return producer - consumer & mask;
    }

    /** How many more elements fit. */
    public int free(int producer, int consumer) {
        return mask - count(producer, consumer);
    }

    /** The producer's index as the consumer may rely on it: elements before it are completely written. */
    public int producerAcquire() {
        return Shared.getIntAcquire(memory, producerOffset) & mask;
    }

    /** Hands every element before {@code index} to the consumer. */
    public void producerRelease(int index) {
        Shared.setIntRelease(memory, producerOffset, index & mask);
    }

    /** The consumer's index as the producer may rely on it: elements before it may be overwritten. */
    public int consumerAcquire() {
        return Shared.getIntAcquire(memory, consumerOffset) & mask;
    }

    /** Gives every element before {@code index} back to the producer. */
    public void consumerRelease(int index) {
        Shared.setIntRelease(memory, consumerOffset, index & mask);
    }
}
