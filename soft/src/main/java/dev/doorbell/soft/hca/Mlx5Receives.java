package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;

/** Reads mlx5's receive work requests: data segments, and an end mark where there are fewer than fit. */
final class Mlx5Receives {
    /** Counts of work requests have 16 bits. */
    static final int INDEX_MASK = 0xffff;

    private Mlx5Receives() {}

    /** The program's count of what it posted. */
    static int posted(MemorySegment counter) {
        return Integer.reverseBytes(Shared.getIntAcquire(counter, 0)) & INDEX_MASK;
    }

    /** Reads the segments between two offsets; false if there are too many. */
    static boolean read(MemorySegment memory, long from, long to, int maxSge, ReceiveRequest into) {
        into.sges.clear();
        for (long at = from; at < to; at += DataSegment.SIZE) {
            int length = DataSegment.length(memory, at);
            int key = DataSegment.key(memory, at);
            if (length == 0 && key == DataSegment.NO_KEY) {
                return true;
            }
            if (into.sges.count() == maxSge) {
                return false;
            }
            into.sges.add(DataSegment.addr(memory, at), length, key);
        }
        return true;
    }
}
