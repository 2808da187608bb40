package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.verbs.uverbs.Command;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the program's that the device reads and writes: queues and doorbell records. The kernel pins it when it learns of
 * it by a command; the pin announces it before, for a kernel that reaches memory only through segments it was given. It is freed when
 * nobody refers to it any more, so that a call that comes too late finds memory and does no harm.
 */
record QueueMemory(MemorySegment segment, CommandChannel.Pin pin) implements AutoCloseable {
    private static final long PAGE = 4096;

    static QueueMemory allocate(CommandChannel channel, long bytes, String operation) {
        MemorySegment segment = Arena.ofAuto().allocate(SendQueueShape.aligned(Math.max(bytes, 1), (int) PAGE), PAGE);
        try {
            return new QueueMemory(segment, channel.pin(segment));
        } catch (KernelException e) {
            throw Command.fault(e, operation);
        }
    }

    long address() {
        return segment.address();
    }

    @Override
    public void close() {
        pin.close();
    }
}
