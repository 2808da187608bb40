package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateSrq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateSrqResponse;
import dev.doorbell.kernel.abi.mlx5.SrqNextSegment;
import dev.doorbell.soft.hca.QueuePairRequest;
import java.lang.foreign.MemorySegment;

/** Shared receive queues as mlx5 has them: in memory of the program, of a size that stays. */
final class Mlx5SharedReceiveCommands extends SharedReceiveCommands {
    private static final int LEAST_STRIDE = 32;

    private final ProgramMemory memory;

    private Mlx5SharedReceiveCommands(SoftContext context) {
        super(context);
        this.memory = new ProgramMemory(context.pins());
    }

    static void register(CommandTable table, SoftContext context) {
        new Mlx5SharedReceiveCommands(context).register(table);
    }

    @Override
    int place(Call call, Wanted wanted, int handle, SharedReceiveQueue queue) {
        MemorySegment in = call.driverIn();
        if (in.byteSize() < Mlx5CreateSrq.SIZE
                || call.driverOut().byteSize() < Integer.BYTES
                || wanted.requests() >= Mlx5ContextCommands.MOST_ENTRIES) {
            return Errno.EINVAL;
        }
        int entries = powerOfTwo(wanted.requests() + 1);
        int stride = Math.max(LEAST_STRIDE, powerOfTwo(SrqNextSegment.SIZE + wanted.sge() * DataSegment.SIZE));
        MemorySegment buffer = memory.queue(Mlx5CreateSrq.buffer(in, 0), (long) entries * stride);
        MemorySegment doorbells = memory.record(Mlx5CreateSrq.record(in, 0));
        if (buffer == null || doorbells == null) {
            return Errno.EFAULT;
        }
        int sge = (stride - SrqNextSegment.SIZE) / DataSegment.SIZE;
        MemorySegment counter = doorbells.asSlice(DoorbellRecord.RECEIVE, Integer.BYTES);
        queue.attach(
                context.device()
                        .hca()
                        .createMlx5SharedReceiveQueue(
                                new QueuePairRequest.Mlx5Queue(buffer, counter, stride, 0, sge, 0),
                                wanted.limit(),
                                queue),
                entries - 1,
                null);
        Mlx5CreateSrqResponse.setNumber(call.driverOut(), 0, handle);
        return 0;
    }

    /** The least power of two that is not smaller. */
    private static int powerOfTwo(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    @Override
    int check(Call call, int mask) {
        return (mask & MAX_WR) == 0 ? 0 : Errno.EINVAL;
    }

    @Override
    int move(Call call, SharedReceiveQueue queue, int requests) {
        return Errno.EINVAL;
    }
}
