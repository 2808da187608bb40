package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A ring that the kernel made and this context mapped.
 *
 * @param mapping what was mapped, to be unmapped
 * @param ring the view of it
 */
record MappedRing(MemorySegment mapping, SharedRing ring) {
    /**
     * What a queue works on when its own ring is gone: always empty and always full. A call that comes too late then
     * finds nothing, rather than memory that is no longer there.
     */
    static final SharedRing GONE = RxeQueueHeader.create(Arena.global().allocate(RxeQueueHeader.SIZE + 64L, 64), 6, 0);

    /**
     * Maps a ring and checks its head once: the slots must be those that the granted size gives, the elements must hold
     * what was granted, and all must lie in what was mapped.
     *
     * @param info where the offer ({@link RxeMmapInfo}) lies in {@code answer}
     * @param granted elements that the kernel said the ring holds
     * @param elementBytes bytes that the queue writes or reads in an element
     * @param operation what to call it in a {@link VerbsFault}
     * @throws VerbsFault EIO for a ring that makes no sense, or the errno with which the kernel refused to map
     */
    static MappedRing map(
            CommandChannel channel, MemorySegment answer, long info, int granted, long elementBytes, String operation) {
        long length = Integer.toUnsignedLong(RxeMmapInfo.length(answer, info));
        if (length < RxeQueueHeader.SIZE) {
            throw new VerbsFault(Errno.EIO, operation + ": a ring of " + length + " bytes");
        }
        MemorySegment mapping;
        try {
            mapping = channel.map(RxeMmapInfo.offset(answer, info), length);
        } catch (KernelException e) {
            throw Command.fault(e, operation);
        }
        try {
            return new MappedRing(mapping, check(mapping, granted, elementBytes));
        } catch (IllegalArgumentException e) {
            channel.unmap(mapping);
            throw new VerbsFault(Errno.EIO, operation + ": " + e.getMessage(), e);
        }
    }

    /**
     * As {@link #map}, for a ring that takes the place of another one: the kernel has let go of that already.
     *
     * @throws VerbsFault {@linkplain VerbsFault#isLostRing() lost} if it cannot be mapped
     */
    static MappedRing remap(
            CommandChannel channel, MemorySegment answer, long info, int granted, long elementBytes, String operation) {
        try {
            return map(channel, answer, info, granted, elementBytes, operation);
        } catch (VerbsFault e) {
            throw VerbsFault.lostRing(operation, e);
        }
    }

    private static SharedRing check(MemorySegment mapping, int granted, long elementBytes) {
        SharedRing ring = RxeQueueHeader.open(mapping);
        if (ring.capacity() != RxeQueueHeader.indexMaskFor(granted)) {
            throw new IllegalArgumentException(
                    "ring holds " + ring.capacity() + " elements where " + granted + " were granted");
        }
        if (ring.elementSize() < elementBytes) {
            throw new IllegalArgumentException(
                    "ring has elements of " + ring.elementSize() + " bytes where " + elementBytes + " are needed");
        }
        return ring;
    }

    /** Ends the mapping. */
    void unmap(CommandChannel channel) {
        channel.unmap(mapping);
    }
}
