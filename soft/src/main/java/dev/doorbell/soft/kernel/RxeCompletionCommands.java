package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.RingCompletionQueue;

/** Completion queues as rxe has them: in a ring that the kernel makes, armed by REQ_NOTIFY_CQ. */
final class RxeCompletionCommands extends CompletionCommands {
    private RxeCompletionCommands(SoftContext context) {
        super(context);
    }

    static void register(CommandTable table, SoftContext context) {
        RxeCompletionCommands commands = new RxeCompletionCommands(context);
        commands.register(table);
        table.add(UverbsCommand.REQ_NOTIFY_CQ, ReqNotifyCq.SIZE, 0, context.whenStarted(commands::arm));
    }

    @Override
    int place(Call call, Wanted wanted, CompletionQueue queue) {
        if (call.driverOut().byteSize() < RxeMmapInfo.SIZE) {
            return Errno.EINVAL;
        }
        Ring ring = context.rings().create(RxeCqe.ELEMENT_SIZE, wanted.entries());
        if (ring == null) {
            return Errno.ENOMEM;
        }
        RingCompletionQueue end = context.device()
                .hca()
                .createCompletionQueue(
                        ring.view(),
                        ring.capacity(),
                        queue,
                        (wanted.flags() & ExCreateCq.TIMESTAMPS) != 0,
                        (wanted.flags() & ExCreateCq.IGNORE_OVERRUN) != 0);
        queue.attach(end, ring.capacity(), ring);
        ring.describe(call.driverOut(), 0);
        return 0;
    }

    @Override
    int move(Call call, CompletionQueue queue, int entries) {
        if (call.driverOut().byteSize() < RxeMmapInfo.SIZE) {
            return Errno.EINVAL;
        }
        Ring next = context.rings().create(RxeCqe.ELEMENT_SIZE, entries);
        if (next == null) {
            return Errno.ENOMEM;
        }
        int refusal = end(queue).resize(next.view(), entries);
        if (refusal != 0) {
            context.rings().release(next);
            return refusal;
        }
        context.rings().release(queue.replaceRing(next));
        next.describe(call.driverOut(), 0);
        return 0;
    }

    private int arm(Call call) {
        int handle = ReqNotifyCq.cqHandle(call.in(), 0);
        CompletionQueue queue = context.objects().completionQueues.find(handle);
        if (queue == null) {
            return context.objects().completionQueues.refusal(handle);
        }
        end(queue).arm(ReqNotifyCq.solicitedOnly(call.in(), 0) != 0);
        return 0;
    }

    private static RingCompletionQueue end(CompletionQueue queue) {
        if (queue.hca() instanceof RingCompletionQueue ring) {
            return ring;
        }
        throw new IllegalStateException("a completion queue of another kind of device");
    }
}
