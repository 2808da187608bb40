package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;

/** CREATE_CQ, EX_CREATE_CQ, RESIZE_CQ and DESTROY_CQ; where a queue lies, its device says. */
abstract class CompletionCommands {
    /** rxe has none of them. */
    private static final int FLAGS = ExCreateCq.TIMESTAMPS | ExCreateCq.IGNORE_OVERRUN;

    final SoftContext context;

    CompletionCommands(SoftContext context) {
        this.context = context;
    }

    final void register(CommandTable table) {
        table.add(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, context.whenStarted(this::create));
        table.add(
                UverbsCommand.EX_CREATE_CQ,
                ExCreateCq.SIZE,
                ExCreateCqResponse.SIZE,
                context.whenStarted(this::createExtended));
        table.add(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, context.whenStarted(this::resize));
        table.add(UverbsCommand.DESTROY_CQ, DestroyCq.SIZE, DestroyCqResponse.SIZE, context.whenStarted(this::destroy));
    }

    /** What a completion queue is to be. */
    record Wanted(long cookie, int entries, int vector, int channel, int flags) {}

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
        if (!isSize(wanted.entries)) {
            return Errno.EINVAL;
        }
        Quota quota = context.device().quotas().completionQueues;
        if (!quota.take()) {
            return Errno.ENOMEM;
        }
        CompletionQueue queue = new CompletionQueue(wanted.cookie, context.asynchronous(), channel);
        int refusal = place(call, wanted, queue);
        if (refusal != 0) {
            quota.give();
            return refusal;
        }
        CreateCqResponse.setCqHandle(
                call.out(), 0, context.objects().completionQueues.add(queue));
        CreateCqResponse.setCqe(call.out(), 0, queue.capacity());
        return 0;
    }

    /** Finds memory for a queue, attaches the device's end to it, and tells the driver. Answers 0, or why not. */
    abstract int place(Call call, Wanted wanted, CompletionQueue queue);

    /** Moves a queue, and tells the driver. Answers 0, or why not. */
    abstract int move(Call call, CompletionQueue queue, int entries);

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
        if (!isSize(entries)) {
            return Errno.EINVAL;
        }
        int refusal = move(call, queue, entries);
        if (refusal == 0) {
            ResizeCqResponse.setCqe(call.out(), 0, queue.capacity());
        }
        return refusal;
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
