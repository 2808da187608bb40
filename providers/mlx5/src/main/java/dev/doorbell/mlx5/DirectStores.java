package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/** The stores themselves. */
final class DirectStores implements DeviceStores {
    @Override
    public void record(MemorySegment records, long at, int value) {
        Barriers.beforeDoorbellRecord();
        Be.setInt(records, at, value);
    }

    @Override
    public void register(MemorySegment page, long at, long value) {
        Be.setLong(page, at, value);
    }

    @Override
    public void blueFlame(
            MemorySegment page, long at, MemorySegment queue, long from, long start, long end, int bytes) {
        Host.copyLine(queue, from, page, at);
        if (bytes > ControlSegment.BLOCK) {
            copyRest(page, at, queue, from, start, end, bytes);
        }
    }

    private static void copyRest(
            MemorySegment page, long at, MemorySegment queue, long from, long start, long end, int bytes) {
        long source = from;
        for (int done = ControlSegment.BLOCK; done < bytes; done += ControlSegment.BLOCK) {
            source += ControlSegment.BLOCK;
            if (source == end) {
                source = start;
            }
            Host.copyLine(queue, source, page, at + done);
        }
    }
}
