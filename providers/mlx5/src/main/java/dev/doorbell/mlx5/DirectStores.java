package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Words;
import java.lang.foreign.MemorySegment;

/** The stores themselves. */
final class DirectStores implements DeviceStores {
    @Override
    public void record(MemorySegment records, long at, int value) {
        Barriers.beforeDoorbellRecord();
        Be.setInt(records, at, value);
    }

    @Override
    public void record(Words records, long at, int value) {
        Barriers.beforeDoorbellRecord();
        records.setInt(at, value);
    }

    @Override
    public void register(MemorySegment page, long at, long value) {
        Be.setLong(page, at, value);
    }

    @Override
    public void register(Words page, long at, long value) {
        page.setLong(at, value);
    }

    @Override
    public void blueFlame(Words page, long at, Words queue, long from, long end, int bytes) {
        // The block is copied in one place of the code only: in two it would be more than the compilers inline.
        long source = from;
        int done = 0;
        do {
            queue.copyBlock(source, page, at + done);
            source += ControlSegment.BLOCK;
            if (source == end) {
                source = 0;
            }
            done += ControlSegment.BLOCK;
        } while (done < bytes);
    }
}
