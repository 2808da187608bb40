package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCqResponse;
import dev.doorbell.kernel.abi.mlx5.Mlx5ResizeCq;
import dev.doorbell.soft.hca.Mlx5CompletionQueue;
import java.lang.foreign.MemorySegment;

/** Completion queues as mlx5 has them: in memory of the program, armed by a doorbell record. */
final class Mlx5CompletionCommands extends CompletionCommands {
    private static final int SMALL = 64;
    private static final int WIDE = 128;

    private final ProgramMemory memory;
    private int numbers;

    private Mlx5CompletionCommands(SoftContext context) {
        super(context);
        this.memory = new ProgramMemory(context.pins());
    }

    static void register(CommandTable table, SoftContext context) {
        new Mlx5CompletionCommands(context).register(table);
    }

    @Override
    int place(Call call, Wanted wanted, CompletionQueue queue) {
        MemorySegment in = call.driverIn();
        if (in.byteSize() < Mlx5CreateCq.SIZE || call.driverOut().byteSize() < Integer.BYTES) {
            return Errno.EINVAL;
        }
        int entrySize = Mlx5CreateCq.entrySize(in, 0);
        if (!isEntrySize(entrySize)) {
            return Errno.EINVAL;
        }
        int entries = entries(wanted.entries());
        MemorySegment buffer = memory.queue(Mlx5CreateCq.buffer(in, 0), (long) entries * entrySize);
        MemorySegment doorbells = memory.record(Mlx5CreateCq.record(in, 0));
        if (buffer == null || doorbells == null) {
            return Errno.EFAULT;
        }
        Mlx5CompletionQueue end = context.device()
                .hca()
                .createMlx5CompletionQueue(
                        new Mlx5CompletionQueue.Place(buffer, doorbells, entrySize),
                        queue,
                        (wanted.flags() & ExCreateCq.IGNORE_OVERRUN) != 0);
        queue.attach(end, entries - 1, null);
        Mlx5CreateCqResponse.setNumber(call.driverOut(), 0, ++numbers);
        return 0;
    }

    @Override
    int move(Call call, CompletionQueue queue, int asked) {
        MemorySegment in = call.driverIn();
        if (in.byteSize() < Mlx5ResizeCq.SIZE || !(queue.hca() instanceof Mlx5CompletionQueue end)) {
            return Errno.EINVAL;
        }
        int entrySize = Mlx5ResizeCq.entrySize(in, 0);
        if (!isEntrySize(entrySize)) {
            return Errno.EINVAL;
        }
        int entries = entries(asked);
        MemorySegment buffer = memory.queue(Mlx5ResizeCq.buffer(in, 0), (long) entries * entrySize);
        if (buffer == null) {
            return Errno.EFAULT;
        }
        int refusal = end.resize(buffer, entrySize);
        if (refusal == 0) {
            queue.moved(entries - 1);
        }
        return refusal;
    }

    private static boolean isEntrySize(int bytes) {
        return bytes == SMALL || bytes == WIDE;
    }

    /** One more than were asked for, at the next power of two. */
    private static int entries(int asked) {
        return Math.max(2, Integer.highestOneBit(asked) << 1);
    }
}
