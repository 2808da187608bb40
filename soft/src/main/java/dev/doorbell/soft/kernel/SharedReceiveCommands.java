package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.ModifySrq;
import dev.doorbell.kernel.abi.QuerySrq;
import dev.doorbell.kernel.abi.QuerySrqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;

/**
 * CREATE_SRQ, MODIFY_SRQ, QUERY_SRQ and DESTROY_SRQ; where a queue lies, its device says. Receives are posted by writing into
 * it alone.
 */
abstract class SharedReceiveCommands {
    static final int MAX_WR = 1;
    private static final int LIMIT = 2;

    final SoftContext context;

    SharedReceiveCommands(SoftContext context) {
        this.context = context;
    }

    final void register(CommandTable table) {
        table.add(UverbsCommand.CREATE_SRQ, CreateSrq.SIZE, CreateSrqResponse.SIZE, context.whenStarted(this::create));
        table.add(UverbsCommand.MODIFY_SRQ, ModifySrq.SIZE, 0, context.whenStarted(this::modify));
        table.add(UverbsCommand.QUERY_SRQ, QuerySrq.SIZE, QuerySrqResponse.SIZE, context.whenStarted(this::query));
        table.add(
                UverbsCommand.DESTROY_SRQ,
                DestroySrq.SIZE,
                DestroySrqResponse.SIZE,
                context.whenStarted(this::destroy));
    }

    /** What a shared receive queue is to be. */
    record Wanted(Domain domain, int requests, int sge, int limit, long cookie) {}

    private int create(Call call) {
        MemorySegment in = call.in();
        int domainHandle = CreateSrq.pdHandle(in, 0);
        Domain domain = context.objects().domains.find(domainHandle);
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        int requests = CreateSrq.maxWr(in, 0);
        int sge = CreateSrq.maxSge(in, 0);
        if (!isSize(requests) || Integer.compareUnsigned(sge, DeviceCommands.SHARED_QUEUE_SGE) > 0) {
            return Errno.EINVAL;
        }
        Quota quota = context.device().quotas().sharedQueues;
        if (!quota.take()) {
            return Errno.ENOMEM;
        }
        // As rxe: at least one element.
        Wanted wanted =
                new Wanted(domain, requests, Math.max(sge, 1), CreateSrq.srqLimit(in, 0), CreateSrq.userHandle(in, 0));
        SharedReceiveQueue queue = new SharedReceiveQueue(domain, wanted.cookie, context.asynchronous());
        int handle = context.objects().sharedQueues.reserve();
        int refusal = place(call, wanted, handle, queue);
        if (refusal != 0) {
            context.objects().sharedQueues.remove(handle);
            quota.give();
            return refusal;
        }
        domain.usage.enter();
        context.objects().sharedQueues.put(handle, queue);
        CreateSrqResponse.setSrqHandle(call.out(), 0, handle);
        CreateSrqResponse.setMaxWr(call.out(), 0, queue.capacity());
        CreateSrqResponse.setMaxSge(call.out(), 0, queue.hca().maxSge());
        return 0;
    }

    /** Finds memory for a queue, attaches the device's end to it, and tells the driver. Answers 0, or why not. */
    abstract int place(Call call, Wanted wanted, int handle, SharedReceiveQueue queue);

    /** Why a change is refused; 0 if it is not. */
    abstract int check(Call call, int mask);

    /** Moves a queue, and tells the driver. Answers 0, or why not. */
    abstract int move(Call call, SharedReceiveQueue queue, int requests);

    private boolean isSize(int requests) {
        return requests > 0 && requests <= context.device().limits().workRequests();
    }

    private int modify(Call call) {
        int handle = ModifySrq.srqHandle(call.in(), 0);
        SharedReceiveQueue queue = context.objects().sharedQueues.find(handle);
        if (queue == null) {
            return context.objects().sharedQueues.refusal(handle);
        }
        int mask = ModifySrq.attrMask(call.in(), 0);
        if ((mask & ~(MAX_WR | LIMIT)) != 0 || queue.hca().isBroken()) {
            return Errno.EINVAL;
        }
        int obstacle = check(call, mask);
        if (obstacle != 0) {
            return obstacle;
        }
        int limit = ModifySrq.srqLimit(call.in(), 0);
        int capacity = queue.capacity();
        if ((mask & MAX_WR) != 0) {
            int requests = ModifySrq.maxWr(call.in(), 0);
            int armed = queue.hca().limit();
            if (!isSize(requests) || armed > requests) {
                return Errno.EINVAL;
            }
            capacity = requests;
        }
        if ((mask & LIMIT) != 0 && Integer.compareUnsigned(limit, capacity) > 0) {
            return Errno.EINVAL;
        }
        int refusal = (mask & MAX_WR) != 0 ? move(call, queue, capacity) : 0;
        if (refusal == 0 && (mask & LIMIT) != 0) {
            queue.hca().arm(limit);
        }
        return refusal;
    }

    private int query(Call call) {
        int handle = QuerySrq.srqHandle(call.in(), 0);
        SharedReceiveQueue queue = context.objects().sharedQueues.find(handle);
        if (queue == null) {
            return context.objects().sharedQueues.refusal(handle);
        }
        if (queue.hca().isBroken()) {
            return Errno.EINVAL;
        }
        call.out().asSlice(0, QuerySrqResponse.SIZE).fill((byte) 0);
        QuerySrqResponse.setMaxWr(call.out(), 0, queue.capacity());
        QuerySrqResponse.setMaxSge(call.out(), 0, queue.hca().maxSge());
        QuerySrqResponse.setSrqLimit(call.out(), 0, queue.hca().limit());
        return 0;
    }

    private int destroy(Call call) {
        int handle = DestroySrq.srqHandle(call.in(), 0);
        SharedReceiveQueue queue = context.objects().sharedQueues.find(handle);
        if (queue == null) {
            return context.objects().sharedQueues.refusal(handle);
        }
        if (queue.usage.isUsed()) {
            return Errno.EBUSY;
        }
        context.objects().sharedQueues.remove(handle);
        destroy(queue, context);
        DestroySrqResponse.setEventsReported(
                call.out(), 0, context.asynchronous().retire(queue.events));
        return 0;
    }

    /** Frees a queue that is in no table and used by no queue pair any more. */
    static void destroy(SharedReceiveQueue queue, SoftContext context) {
        context.rings().release(queue.ring());
        context.asynchronous().retire(queue.events);
        queue.domain().usage.leave();
        context.device().quotas().sharedQueues.give();
    }
}
