package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeCreateSrqResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeModifySrq;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.soft.hca.RingSharedReceiveQueue;
import java.lang.foreign.MemorySegment;

/** Shared receive queues as rxe has them: in a ring that the kernel makes. */
final class RxeSharedReceiveCommands extends SharedReceiveCommands {
    private RxeSharedReceiveCommands(SoftContext context) {
        super(context);
    }

    static void register(CommandTable table, SoftContext context) {
        new RxeSharedReceiveCommands(context).register(table);
    }

    @Override
    int place(Call call, Wanted wanted, int handle, SharedReceiveQueue queue) {
        if (call.driverOut().byteSize() < RxeCreateSrqResponse.SIZE) {
            return Errno.EINVAL;
        }
        Ring ring = context.rings().create(elementBytes(wanted.sge()), wanted.requests());
        if (ring == null) {
            return Errno.ENOMEM;
        }
        RingSharedReceiveQueue end =
                context.device().hca().createSharedReceiveQueue(ring.view(), wanted.sge(), wanted.limit(), queue);
        queue.attach(end, ring.capacity(), ring);
        ring.describe(call.driverOut(), RxeCreateSrqResponse.QUEUE);
        RxeCreateSrqResponse.setSrqNum(call.driverOut(), 0, handle);
        return 0;
    }

    private static long elementBytes(int sge) {
        return RxeRecvWqe.SIZE + (long) sge * RxeSge.SIZE;
    }

    /** As rxe: the driver's part is always there, also where only the limit changes. */
    @Override
    int check(Call call, int mask) {
        return call.driverIn().byteSize() < RxeModifySrq.SIZE ? Errno.EINVAL : 0;
    }

    @Override
    int move(Call call, SharedReceiveQueue queue, int requests) {
        long at = answerOffset(call);
        if (at < 0) {
            return Errno.EFAULT;
        }
        Ring next = context.rings().create(elementBytes(queue.hca().maxSge()), requests);
        if (next == null) {
            return Errno.ENOMEM;
        }
        int refusal = end(queue).resize(next.view(), requests);
        if (refusal != 0) {
            context.rings().release(next);
            return refusal;
        }
        context.rings().release(queue.replaceRing(next));
        next.describe(call.driverIn(), at);
        return 0;
    }

    /**
     * Where in the driver's part it wants to be told about the new ring; negative if elsewhere. rxe takes any address;
     * this kernel writes no memory that did not come with the command.
     */
    private static long answerOffset(Call call) {
        MemorySegment given = call.driverIn();
        long at = RxeModifySrq.mmapInfoAddr(given, 0) - given.address();
        boolean inside = at >= RxeModifySrq.SIZE && at <= given.byteSize() - RxeMmapInfo.SIZE;
        return inside && given.isNative() && !given.isReadOnly() ? at : -1;
    }

    private static RingSharedReceiveQueue end(SharedReceiveQueue queue) {
        if (queue.hca() instanceof RingSharedReceiveQueue ring) {
            return ring;
        }
        throw new IllegalStateException("a shared receive queue of another kind of device");
    }
}
