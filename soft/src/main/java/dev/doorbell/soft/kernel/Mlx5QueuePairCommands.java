package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQpResponse;
import dev.doorbell.soft.hca.HcaQueuePair;
import dev.doorbell.soft.hca.Mlx5Posting;
import dev.doorbell.soft.hca.QueuePairRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Queue pairs as mlx5 has them: both queues in one piece of memory of the program, the receive queue first. */
final class Mlx5QueuePairCommands extends QueuePairCommands {
    private static final int LEAST_SHIFT = 4;
    private static final int MOST_SHIFT = 9;
    private static final int NUMBER_MASK = 0xff_ffff;
    private static final int FLAGS = Mlx5CreateQp.SCATTER_TO_CQE | Mlx5CreateQp.NAMES_REGISTER_PAGE | 0x100;

    /** Answered in place of a register's number by who named a page. */
    private static final int NO_REGISTER = -1;

    private final ProgramMemory memory;

    private Mlx5QueuePairCommands(SoftContext context) {
        super(context);
        this.memory = new ProgramMemory(context.pins());
    }

    static void register(CommandTable table, SoftContext context) {
        new Mlx5QueuePairCommands(context).register(table);
    }

    /** The memory that a command names; a queue without entries has none. */
    private record Named(int sendBytes, int receiveBytes, long buffer, long record) {
        static Named of(MemorySegment in, boolean isShared) {
            int receives = isShared ? 0 : Mlx5CreateQp.receiveRequests(in, 0);
            return new Named(
                    Mlx5CreateQp.sendBlocks(in, 0) * ControlSegment.BLOCK,
                    receives << Mlx5CreateQp.receiveShift(in, 0),
                    Mlx5CreateQp.buffer(in, 0),
                    Mlx5CreateQp.record(in, 0));
        }

        int bytes() {
            return sendBytes + receiveBytes;
        }
    }

    @Override
    int check(Call call, QueuePairSizes sizes, boolean isShared) {
        MemorySegment in = call.driverIn();
        if (in.byteSize() < Mlx5CreateQp.SIZE || call.driverOut().byteSize() < Integer.BYTES) {
            return Errno.EINVAL;
        }
        if ((Mlx5CreateQp.flags(in, 0) & ~FLAGS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (!isCount(Mlx5CreateQp.sendBlocks(in, 0)) || !isReceiveQueue(in, isShared)) {
            return Errno.EINVAL;
        }
        Named named = Named.of(in, isShared);
        boolean isThere = memory.record(named.record) != null
                && (named.bytes() == 0 || memory.queue(named.buffer, named.bytes()) != null);
        return isThere ? 0 : Errno.EFAULT;
    }

    private static boolean isReceiveQueue(MemorySegment in, boolean isShared) {
        int count = Mlx5CreateQp.receiveRequests(in, 0);
        int shift = Mlx5CreateQp.receiveShift(in, 0);
        return isShared || count == 0 || (isCount(count) && shift >= LEAST_SHIFT && shift <= MOST_SHIFT);
    }

    private static boolean isCount(int entries) {
        return entries >= 0 && entries <= Mlx5ContextCommands.MOST_ENTRIES && Integer.bitCount(entries) <= 1;
    }

    @Override
    @Nullable
    Queues makeQueues(Call call, QueuePairSizes sizes, boolean isShared) {
        MemorySegment in = call.driverIn();
        Named named = Named.of(in, isShared);
        MemorySegment doorbells = memory.record(named.record);
        MemorySegment both = named.bytes() == 0 ? MemorySegment.NULL : memory.queue(named.buffer, named.bytes());
        if (doorbells == null || both == null) {
            return null;
        }
        int index = Mlx5CreateQp.userIndex(in, 0) & NUMBER_MASK;
        QueuePairRequest.Mlx5Queue send = queue(
                both.asSlice(named.receiveBytes, named.sendBytes),
                doorbells.asSlice(DoorbellRecord.SEND, Integer.BYTES),
                ControlSegment.BLOCK,
                index,
                ControlSegment.MAX_UNITS);
        int stride = 1 << Mlx5CreateQp.receiveShift(in, 0);
        QueuePairRequest.Mlx5Queue receive = isShared
                ? null
                : queue(
                        both.asSlice(0, named.receiveBytes),
                        doorbells.asSlice(DoorbellRecord.RECEIVE, Integer.BYTES),
                        stride,
                        index,
                        stride / DataSegment.SIZE);
        return new Queues(send, receive, sizes, null, null);
    }

    /** A queue without entries stays empty, whatever its counter says. */
    private static QueuePairRequest.Mlx5Queue queue(
            MemorySegment part, MemorySegment counter, int stride, int index, int sge) {
        if (part.byteSize() > 0) {
            return new QueuePairRequest.Mlx5Queue(part, counter, stride, index, sge, 0);
        }
        MemorySegment none = Arena.ofAuto().allocate(2L * ControlSegment.BLOCK, ControlSegment.BLOCK);
        return new QueuePairRequest.Mlx5Queue(
                none.asSlice(0, ControlSegment.BLOCK),
                none.asSlice(ControlSegment.BLOCK, Integer.BYTES),
                ControlSegment.BLOCK,
                index,
                sge,
                0);
    }

    @Override
    Mlx5Posting watch(HcaQueuePair queuePair) {
        return context.device().watch(queuePair);
    }

    @Override
    void describe(Call call, QueuePair queuePair) {
        call.driverOut()
                .asSlice(0, Math.min(Mlx5CreateQpResponse.SIZE, call.driverOut().byteSize()))
                .fill((byte) 0);
        boolean namesPage = (Mlx5CreateQp.flags(call.driverIn(), 0) & Mlx5CreateQp.NAMES_REGISTER_PAGE) != 0;
        int register = namesPage ? NO_REGISTER : context.registerPages().nextRegister();
        Mlx5CreateQpResponse.setRegister(call.driverOut(), 0, register);
    }
}
