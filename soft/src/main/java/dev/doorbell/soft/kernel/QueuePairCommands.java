package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.DestroyQp;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.HcaQueuePair;
import dev.doorbell.soft.hca.Mlx5Posting;
import dev.doorbell.soft.hca.QueuePairRequest;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CREATE_QP and DESTROY_QP; where the queues lie, their device says. */
abstract class QueuePairCommands {
    /** Types that uverbs knows and rxe lacks: raw packets, XRC of both ends, a driver's own. */
    private static final Set<Integer> OTHER_TYPES = Set.of(8, 9, 10, 255);

    final SoftContext context;

    QueuePairCommands(SoftContext context) {
        this.context = context;
    }

    final void register(CommandTable table) {
        table.add(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, context.whenStarted(this::create));
        table.add(UverbsCommand.DESTROY_QP, DestroyQp.SIZE, DestroyQpResponse.SIZE, context.whenStarted(this::destroy));
    }

    /** What a queue pair is to be. */
    record Wanted(
            Domain domain,
            CompletionQueue sends,
            CompletionQueue receives,
            @Nullable SharedReceiveQueue shared,
            QueuePairType type,
            QueuePairSizes sizes,
            boolean signalAll) {}

    /**
     * The queues of a queue pair.
     *
     * @param sizes what is granted
     * @param sendRing ring of the sends, if the kernel made one
     * @param receiveRing ring of the receives, if the kernel made one
     */
    record Queues(
            QueuePairRequest.WorkQueue send,
            QueuePairRequest.@Nullable WorkQueue receive,
            QueuePairSizes sizes,
            @Nullable Ring sendRing,
            @Nullable Ring receiveRing) {}

    /** Why the queues cannot be; 0 if they can. */
    abstract int check(Call call, QueuePairSizes sizes, boolean isShared);

    /** The queues; null if there is no memory for them. */
    abstract @Nullable Queues makeQueues(Call call, QueuePairSizes sizes, boolean isShared);

    /** How the device sees what is posted; null if a doorbell tells it. */
    abstract @Nullable Mlx5Posting watch(HcaQueuePair queuePair);

    /** Tells the driver what was made. */
    abstract void describe(Call call, QueuePair queuePair);

    private int create(Call call) {
        MemorySegment in = call.in();
        SharedReceiveQueue shared = null;
        if (CreateQp.isSrq(in, 0) != 0) {
            int sharedHandle = CreateQp.srqHandle(in, 0);
            shared = context.objects().sharedQueues.find(sharedHandle);
            if (shared == null) {
                return context.objects().sharedQueues.refusal(sharedHandle);
            }
        }
        int sendHandle = CreateQp.sendCqHandle(in, 0);
        int receiveHandle = CreateQp.recvCqHandle(in, 0);
        int domainHandle = CreateQp.pdHandle(in, 0);
        Handles<CompletionQueue> queues = context.objects().completionQueues;
        CompletionQueue sends = queues.find(sendHandle);
        CompletionQueue receives = queues.find(receiveHandle);
        Domain domain = context.objects().domains.find(domainHandle);
        if (sends == null || receives == null) {
            return queues.refusal(receives == null ? receiveHandle : sendHandle);
        }
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        QueuePairType type = type(CreateQp.qpType(in, 0));
        if (type == null) {
            return OTHER_TYPES.contains(CreateQp.qpType(in, 0)) ? Errno.EOPNOTSUPP : Errno.EINVAL;
        }
        QueuePairSizes sizes = sizes(in, shared != null);
        int obstacle = sizes.fits(context.device().limits()) ? check(call, sizes, shared != null) : Errno.EINVAL;
        if (obstacle != 0) {
            return obstacle;
        }
        Wanted wanted = new Wanted(domain, sends, receives, shared, type, sizes, CreateQp.sqSigAll(in, 0) != 0);
        QueuePair queuePair = make(call, wanted, new EventSource(CreateQp.userHandle(in, 0)));
        if (queuePair == null) {
            return Errno.ENOMEM;
        }
        answer(call, context.objects().queuePairs.add(queuePair), queuePair);
        return 0;
    }

    /** As rxe: what was asked of the receive queue is not looked at where there is none. */
    private static QueuePairSizes sizes(MemorySegment in, boolean isShared) {
        return new QueuePairSizes(
                CreateQp.maxSendWr(in, 0),
                isShared ? 0 : CreateQp.maxRecvWr(in, 0),
                CreateQp.maxSendSge(in, 0),
                isShared ? 0 : CreateQp.maxRecvSge(in, 0),
                CreateQp.maxInlineData(in, 0));
    }

    static @Nullable QueuePairType type(int code) {
        for (QueuePairType type : QueuePairType.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        return null;
    }

    private @Nullable QueuePair make(Call call, Wanted wanted, EventSource events) {
        Quota quota = context.device().quotas().queuePairs;
        if (!quota.take()) {
            return null;
        }
        QueuePair queuePair = null;
        Queues queues = makeQueues(call, wanted.sizes, wanted.shared != null);
        if (queues != null) {
            queuePair = make(wanted, queues, events);
        }
        if (queuePair == null) {
            quota.give();
        }
        return queuePair;
    }

    private @Nullable QueuePair make(Wanted wanted, Queues queues, EventSource events) {
        SharedReceiveQueue shared = wanted.shared;
        HcaQueuePair hca = context.device()
                .hca()
                .createQueuePair(new QueuePairRequest(
                        wanted.domain.hca,
                        wanted.type,
                        wanted.sends.hca(),
                        wanted.receives.hca(),
                        queues.send,
                        queues.receive,
                        shared == null ? null : shared.hca(),
                        wanted.signalAll));
        if (hca == null) {
            context.rings().release(queues.sendRing);
            context.rings().release(queues.receiveRing);
            return null;
        }
        wanted.domain.usage.enter();
        wanted.sends.usage.enter();
        wanted.receives.usage.enter();
        if (shared != null) {
            shared.usage.enter();
        }
        context.device().subscribe(hca, events, context.asynchronous());
        return new QueuePair(
                hca,
                wanted.domain,
                wanted.sends,
                wanted.receives,
                queues.sendRing,
                queues.receiveRing,
                shared,
                queues.sizes,
                wanted.signalAll,
                watch(hca),
                events);
    }

    private void answer(Call call, int handle, QueuePair queuePair) {
        MemorySegment out = call.out();
        QueuePairSizes sizes = queuePair.sizes();
        out.asSlice(0, CreateQpResponse.SIZE).fill((byte) 0);
        CreateQpResponse.setQpHandle(out, 0, handle);
        CreateQpResponse.setQpn(out, 0, queuePair.hca().number());
        CreateQpResponse.setMaxSendWr(out, 0, sizes.sendRequests());
        CreateQpResponse.setMaxRecvWr(out, 0, sizes.receiveRequests());
        CreateQpResponse.setMaxSendSge(out, 0, sizes.sendSge());
        CreateQpResponse.setMaxRecvSge(out, 0, sizes.receiveSge());
        CreateQpResponse.setMaxInlineData(out, 0, sizes.inlineBytes());
        describe(call, queuePair);
    }

    private int destroy(Call call) {
        int handle = DestroyQp.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        if (queuePair == null) {
            return context.objects().queuePairs.refusal(handle);
        }
        if (queuePair.hca().isAttached()) {
            return Errno.EBUSY;
        }
        context.objects().queuePairs.remove(handle);
        destroy(queuePair, context);
        DestroyQpResponse.setEventsReported(
                call.out(), 0, context.asynchronous().retire(queuePair.events()));
        return 0;
    }

    /** Frees a queue pair that is in no table any more. The device lets go of it first. */
    static void destroy(QueuePair queuePair, SoftContext context) {
        context.device().forget(queuePair.posting());
        queuePair.hca().destroy();
        context.device().unsubscribe(queuePair.hca());
        context.asynchronous().retire(queuePair.events());
        context.rings().release(queuePair.sendRing());
        context.rings().release(queuePair.receiveRing());
        queuePair.domain().usage.leave();
        queuePair.sendCompletions().usage.leave();
        queuePair.receiveCompletions().usage.leave();
        SharedReceiveQueue shared = queuePair.sharedReceives();
        if (shared != null) {
            shared.usage.leave();
        }
        context.device().quotas().queuePairs.give();
    }
}
