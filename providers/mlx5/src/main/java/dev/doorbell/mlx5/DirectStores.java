package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The stores themselves. Registers are mapped write-combining: stores to them may wait in the processor and overtake others, so
 * that a barrier stands before (the record must be seen first) and behind (the register must be seen soon, and before
 * the next one of another thread).
 */
final class DirectStores implements DeviceStores {
    @Override
    public void record(MemorySegment records, long at, int value) {
        Barriers.beforeDoorbellRecord();
        Be.setInt(records, at, value);
    }

    @Override
    public void register(MemorySegment page, long at, long value) {
        Barriers.beforeRegister();
        Be.setLong(page, at, value);
        Barriers.afterRegister();
    }

    @Override
    public void blueFlame(
            MemorySegment page, long at, MemorySegment queue, long from, long start, long end, int bytes) {
        Barriers.beforeRegister();
        long source = from;
        for (int done = 0; done < bytes; done += ControlSegment.BLOCK) {
            if (source == end) {
                source = start;
            }
            for (int i = 0; i < ControlSegment.BLOCK; i += Long.BYTES) {
                Host.setLong(page, at + done + i, Host.getLong(queue, source + i));
            }
            source += ControlSegment.BLOCK;
        }
        Barriers.afterRegister();
    }
}
