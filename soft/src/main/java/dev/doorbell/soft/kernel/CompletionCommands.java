package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import org.jspecify.annotations.Nullable;

/** CREATE_CQ, EX_CREATE_CQ, RESIZE_CQ, REQ_NOTIFY_CQ and DESTROY_CQ. */
final class CompletionCommands {
    /** rxe has none of them. */
    private static final int FLAGS = ExCreateCq.TIMESTAMPS | ExCreateCq.IGNORE_OVERRUN;

    private final SoftContext context;

    private CompletionCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        CompletionCommands commands = new CompletionCommands(context);
        table.add(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, context.whenStarted(commands::create));
        table.add(
                UverbsCommand.EX_CREATE_CQ,
                ExCreateCq.SIZE,
                ExCreateCqResponse.SIZE,
                context.whenStarted(commands::createExtended));
        table.add(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, context.whenStarted(commands::resize));
        table.add(UverbsCommand.REQ_NOTIFY_CQ, ReqNotifyCq.SIZE, 0, context.whenStarted(commands::arm));
        table.add(
                UverbsCommand.DESTROY_CQ,
                DestroyCq.SIZE,
                DestroyCqResponse.SIZE,
                context.whenStarted(commands::destroy));
    }

    /** What a completion queue is to be. */
    private record Wanted(long cookie, int entries, int vector, int channel, int flags) {}

    private int create(Call call) {
        Wanted wanted = new Wanted(
                CreateCq.userHandle(call.in(), 0),
                CreateCq.cqe(call.in(), 0),
                CreateCq.compVector(call.in(), 0),
                CreateCq.compChannel(call.in(), 0),
                0);
        return create(call, wanted);
    }

    private int createExtended(Call call) {
        if (ExCreateCq.compMask(call.in(), 0) != 0) {
            return Errno.EINVAL;
        }
        if ((ExCreateCq.flags(call.in(), 0) & ~FLAGS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        Wanted wanted = new Wanted(
                ExCreateCq.userHandle(call.in(), 0),
                ExCreateCq.cqe(call.in(), 0),
                ExCreateCq.compVector(call.in(), 0),
                ExCreateCq.compChannel(call.in(), 0),
                ExCreateCq.flags(call.in(), 0));
        int refusal = create(call, wanted);
        if (refusal == 0) {
            ExCreateCqResponse.setCompMask(call.out(), 0, 0);
            ExCreateCqResponse.setResponseLength(call.out(), 0, ExCreateCqResponse.SIZE);
        }
        return refusal;
    }

    private int create(Call call, Wanted wanted) {
        if (Integer.compareUnsigned(wanted.vector, context.completionVectors()) >= 0) {
            return Errno.EINVAL;
        }
        EventQueue channel = null;
        if (wanted.channel >= 0) {
            channel = context.objects().files.find(wanted.channel);
            if (channel == null || channel == context.asynchronous()) {
                return Errno.EBADF;
            }
        }
        if (!isSize(wanted.entries) || call.driverOut().byteSize() < RxeMmapInfo.SIZE) {
            return Errno.EINVAL;
        }
        CompletionQueue queue = make(wanted, channel);
        if (queue == null) {
            return Errno.ENOMEM;
        }
        CreateCqResponse.setCqHandle(
                call.out(), 0, context.objects().completionQueues.add(queue));
        CreateCqResponse.setCqe(call.out(), 0, queue.ring().capacity());
        queue.ring().describe(call.driverOut(), 0);
        return 0;
    }

    private @Nullable CompletionQueue make(Wanted wanted, @Nullable EventQueue channel) {
        Quota quota = context.device().quotas().completionQueues;
        if (!quota.take()) {
            return null;
        }
        Ring ring = context.rings().create(RxeCqe.ELEMENT_SIZE, wanted.entries);
        if (ring == null) {
            quota.give();
            return null;
        }
        CompletionQueue queue = new CompletionQueue(ring, wanted.cookie, context.asynchronous(), channel);
        queue.attach(context.device()
                .hca()
                .createCompletionQueue(
                        ring.view(),
                        ring.capacity(),
                        queue,
                        (wanted.flags & ExCreateCq.TIMESTAMPS) != 0,
                        (wanted.flags & ExCreateCq.IGNORE_OVERRUN) != 0));
        return queue;
    }

    private boolean isSize(int entries) {
        return entries > 0 && entries <= context.device().limits().completions();
    }

    private int resize(Call call) {
        int handle = ResizeCq.cqHandle(call.in(), 0);
        CompletionQueue queue = context.objects().completionQueues.find(handle);
        if (queue == null) {
            return context.objects().completionQueues.refusal(handle);
        }
        int entries = ResizeCq.cqe(call.in(), 0);
        if (!isSize(entries) || call.driverOut().byteSize() < RxeMmapInfo.SIZE) {
            return Errno.EINVAL;
        }
        Ring next = context.rings().create(RxeCqe.ELEMENT_SIZE, entries);
        if (next == null) {
            return Errno.ENOMEM;
        }
        int refusal = queue.hca().resize(next.view(), entries);
        if (refusal != 0) {
            context.rings().release(next);
            return refusal;
        }
        context.rings().release(queue.replaceRing(next));
        ResizeCqResponse.setCqe(call.out(), 0, next.capacity());
        next.describe(call.driverOut(), 0);
        return 0;
    }

    private int arm(Call call) {
        int handle = ReqNotifyCq.cqHandle(call.in(), 0);
        CompletionQueue queue = context.objects().completionQueues.find(handle);
        if (queue == null) {
            return context.objects().completionQueues.refusal(handle);
        }
        queue.hca().arm(ReqNotifyCq.solicitedOnly(call.in(), 0) != 0);
        return 0;
    }

    private int destroy(Call call) {
        int handle = DestroyCq.cqHandle(call.in(), 0);
        CompletionQueue queue = context.objects().completionQueues.find(handle);
        if (queue == null) {
            return context.objects().completionQueues.refusal(handle);
        }
        if (queue.usage.isUsed()) {
            return Errno.EBUSY;
        }
        context.objects().completionQueues.remove(handle);
        destroy(queue, context);
        call.out().asSlice(0, DestroyCqResponse.SIZE).fill((byte) 0);
        DestroyCqResponse.setCompEventsReported(call.out(), 0, queue.retireCompletions());
        DestroyCqResponse.setAsyncEventsReported(call.out(), 0, queue.retireErrors());
        return 0;
    }

    /** Frees a queue that is in no table and used by no queue pair any more. */
    static void destroy(CompletionQueue queue, SoftContext context) {
        context.rings().release(queue.ring());
        queue.retireCompletions();
        queue.retireErrors();
        context.device().quotas().completionQueues.give();
    }
}
