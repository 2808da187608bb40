package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.ModifySrq;
import dev.doorbell.kernel.abi.QuerySrq;
import dev.doorbell.kernel.abi.QuerySrqResponse;
import dev.doorbell.kernel.abi.RxeCreateSrqResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeModifySrq;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CREATE_SRQ, MODIFY_SRQ, QUERY_SRQ and DESTROY_SRQ. Receives are posted by writing into the ring alone. */
final class SharedReceiveCommands {
    private static final int MAX_WR = 1;
    private static final int LIMIT = 2;

    private final SoftContext context;

    private SharedReceiveCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        SharedReceiveCommands commands = new SharedReceiveCommands(context);
        table.add(
                UverbsCommand.CREATE_SRQ,
                CreateSrq.SIZE,
                CreateSrqResponse.SIZE,
                context.whenStarted(commands::create));
        table.add(UverbsCommand.MODIFY_SRQ, ModifySrq.SIZE, 0, context.whenStarted(commands::modify));
        table.add(UverbsCommand.QUERY_SRQ, QuerySrq.SIZE, QuerySrqResponse.SIZE, context.whenStarted(commands::query));
        table.add(
                UverbsCommand.DESTROY_SRQ,
                DestroySrq.SIZE,
                DestroySrqResponse.SIZE,
                context.whenStarted(commands::destroy));
    }

    /** What a shared receive queue is to be. */
    private record Wanted(Domain domain, int requests, int sge, int limit, long cookie) {}

    private int create(Call call) {
        MemorySegment in = call.in();
        int domainHandle = CreateSrq.pdHandle(in, 0);
        Domain domain = context.objects().domains.find(domainHandle);
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        int requests = CreateSrq.maxWr(in, 0);
        int sge = CreateSrq.maxSge(in, 0);
        boolean fits = isSize(requests)
                && Integer.compareUnsigned(sge, DeviceCommands.SHARED_QUEUE_SGE) <= 0
                && call.driverOut().byteSize() >= RxeCreateSrqResponse.SIZE;
        if (!fits) {
            return Errno.EINVAL;
        }
        // As rxe: at least one element.
        SharedReceiveQueue queue = make(
                new Wanted(domain, requests, Math.max(sge, 1), CreateSrq.srqLimit(in, 0), CreateSrq.userHandle(in, 0)));
        if (queue == null) {
            return Errno.ENOMEM;
        }
        int handle = context.objects().sharedQueues.add(queue);
        CreateSrqResponse.setSrqHandle(call.out(), 0, handle);
        CreateSrqResponse.setMaxWr(call.out(), 0, queue.ring().capacity());
        CreateSrqResponse.setMaxSge(call.out(), 0, queue.hca().maxSge());
        queue.ring().describe(call.driverOut(), RxeCreateSrqResponse.QUEUE);
        RxeCreateSrqResponse.setSrqNum(call.driverOut(), 0, handle);
        return 0;
    }

    private @Nullable SharedReceiveQueue make(Wanted wanted) {
        Quota quota = context.device().quotas().sharedQueues;
        if (!quota.take()) {
            return null;
        }
        Ring ring = context.rings().create(elementBytes(wanted.sge), wanted.requests);
        if (ring == null) {
            quota.give();
            return null;
        }
        SharedReceiveQueue queue = new SharedReceiveQueue(wanted.domain, ring, wanted.cookie, context.asynchronous());
        queue.attach(context.device().hca().createSharedReceiveQueue(ring.view(), wanted.sge, wanted.limit, queue));
        wanted.domain.usage.enter();
        return queue;
    }

    private static long elementBytes(int sge) {
        return RxeRecvWqe.SIZE + (long) sge * RxeSge.SIZE;
    }

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
        // As rxe: the driver's part is always there, also where only the limit changes.
        if ((mask & ~(MAX_WR | LIMIT)) != 0
                || call.driverIn().byteSize() < RxeModifySrq.SIZE
                || queue.hca().isBroken()) {
            return Errno.EINVAL;
        }
        int limit = ModifySrq.srqLimit(call.in(), 0);
        int capacity = queue.ring().capacity();
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
        int refusal = (mask & MAX_WR) != 0 ? resize(call, queue, capacity) : 0;
        if (refusal == 0 && (mask & LIMIT) != 0) {
            queue.hca().arm(limit);
        }
        return refusal;
    }

    private int resize(Call call, SharedReceiveQueue queue, int requests) {
        long at = answerOffset(call);
        if (at < 0) {
            return Errno.EFAULT;
        }
        Ring next = context.rings().create(elementBytes(queue.hca().maxSge()), requests);
        if (next == null) {
            return Errno.ENOMEM;
        }
        int refusal = queue.hca().resize(next.view(), requests);
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
        QuerySrqResponse.setMaxWr(call.out(), 0, queue.ring().capacity());
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
