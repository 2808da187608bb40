package dev.doorbell.mlx5;

import dev.doorbell.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * The stores by which the device learns of work, in the order in which it must see them. {@link DirectStores} makes them;
 * another implementation can watch.
 *
 * <p>Thread rules: none of its own.
 */
interface DeviceStores {
    /** Stores a word of a doorbell record: all that was written before is seen by whoever sees the word. */
    void record(MemorySegment records, long at, int value);

    /** As {@link #record(MemorySegment, long, int)}, under the conditions of {@link Words}. */
    void record(Words records, long at, int value);

    /** Stores eight bytes into a device register. The caller has the barriers. */
    void register(MemorySegment page, long at, long value);

    /** As {@link #register(MemorySegment, long, long)}, under the conditions of {@link Words}. */
    void register(Words page, long at, long value);

    /**
     * Stores a work request into a device register in blocks of 64 bytes, eight at a time and in order. The caller has the barriers.
     *
     * @param queue where the blocks lie
     * @param from the first block
     * @param end where the queue ends, and a work request that reaches it goes on at 0
     * @param bytes a multiple of 64
     */
    void blueFlame(Words page, long at, Words queue, long from, long end, int bytes);
}
