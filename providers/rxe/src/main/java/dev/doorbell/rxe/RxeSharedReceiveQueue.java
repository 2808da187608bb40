package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
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
import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;

/** A shared receive queue: its ring and its commands. */
final class RxeSharedReceiveQueue implements ProviderSharedReceiveQueue {
    private static final String CREATE = UverbsCommand.CREATE_SRQ.name();
    private static final int MAX_WR = 1;
    private static final int LIMIT = 2;
    /** Where the kernel puts the offer of a new ring: behind the struct that says so. */
    private static final int OFFER = RxeModifySrq.SIZE;

    private final CommandChannel channel;
    private final int handle;
    private final RxeReceiveQueue queue;
    private MappedRing ring;
    private boolean closed;

    private RxeSharedReceiveQueue(CommandChannel channel, int handle, MappedRing mapped, int maxSge) {
        this.channel = channel;
        this.handle = handle;
        this.ring = mapped;
        this.queue = new RxeReceiveQueue(mapped.ring(), maxSge);
    }

    /** What a shared receive queue is to be. */
    record Request(int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {}

    static RxeSharedReceiveQueue create(CommandChannel channel, Request request) {
        try (Command command = new Command(
                UverbsCommand.CREATE_SRQ, CreateSrq.SIZE, CreateSrqResponse.SIZE, RxeCreateSrqResponse.SIZE)) {
            CreateSrq.setUserHandle(command.in(), 0, request.cookie());
            CreateSrq.setPdHandle(command.in(), 0, request.protectionDomain());
            CreateSrq.setMaxWr(command.in(), 0, request.maxWorkRequests());
            CreateSrq.setMaxSge(command.in(), 0, request.maxSge());
            CreateSrq.setSrqLimit(command.in(), 0, request.limit());
            command.send(channel);
            int handle = CreateSrqResponse.srqHandle(command.out(), 0);
            try {
                return map(channel, command, handle);
            } catch (VerbsFault e) {
                destroy(channel, handle);
                throw e;
            }
        }
    }

    private static RxeSharedReceiveQueue map(CommandChannel channel, Command command, int handle) {
        int maxSge = CreateSrqResponse.maxSge(command.out(), 0);
        if (maxSge < 0) {
            throw new VerbsFault(Errno.EIO, CREATE + ": granted " + maxSge + " elements");
        }
        MappedRing mapped = MappedRing.map(
                channel,
                command.driverOut(),
                RxeCreateSrqResponse.QUEUE,
                CreateSrqResponse.maxWr(command.out(), 0),
                elementBytes(maxSge),
                CREATE);
        return new RxeSharedReceiveQueue(channel, handle, mapped, maxSge);
    }

    private static long elementBytes(int maxSge) {
        return RxeRecvWqe.SIZE + (long) RxeSge.SIZE * maxSge;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public ReceiveQueue receiveQueue() {
        return queue;
    }

    @Override
    public void arm(int limit) {
        try (Command command = modify(LIMIT)) {
            ModifySrq.setSrqLimit(command.in(), 0, limit);
            command.send(channel);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The kernel moves what lies between the indices, so nobody may be posting meanwhile. What cannot fit is refused
     * here: Linux 6.1 would refuse it too, but loses its queue over it, and hangs at the next message.
     */
    @Override
    public void resize(int workRequests) {
        if (workRequests >= 0 && workRequests < queue.mostOutstanding()) {
            throw new VerbsFault(Errno.EINVAL, UverbsCommand.MODIFY_SRQ.name());
        }
        try (Command command = modify(MAX_WR)) {
            ModifySrq.setMaxWr(command.in(), 0, workRequests);
            command.send(channel);
            MappedRing resized = remap(command, workRequests);
            MappedRing old = ring;
            ring = resized;
            queue.attach(resized.ring());
            old.unmap(channel);
        }
    }

    private MappedRing remap(Command command, int workRequests) {
        try {
            return MappedRing.remap(
                    channel,
                    command.driverIn(),
                    OFFER,
                    workRequests,
                    elementBytes(queue.maxSge()),
                    UverbsCommand.MODIFY_SRQ.name());
        } catch (VerbsFault e) {
            queue.lose(e);
            throw e;
        }
    }

    private Command modify(int mask) {
        Command command = new Command(UverbsCommand.MODIFY_SRQ, ModifySrq.SIZE, 0);
        ModifySrq.setSrqHandle(command.in(), 0, handle);
        ModifySrq.setAttrMask(command.in(), 0, mask);
        command.addDriverIn(OFFER + RxeMmapInfo.SIZE);
        RxeModifySrq.setMmapInfoAddr(command.driverIn(), 0, command.driverIn().address() + OFFER);
        return command;
    }

    @Override
    public SharedReceiveQueueAttributes query() {
        try (Command command = new Command(UverbsCommand.QUERY_SRQ, QuerySrq.SIZE, QuerySrqResponse.SIZE)) {
            QuerySrq.setSrqHandle(command.in(), 0, handle);
            command.send(channel);
            return new SharedReceiveQueueAttributes(
                    QuerySrqResponse.maxWr(command.out(), 0),
                    QuerySrqResponse.maxSge(command.out(), 0),
                    QuerySrqResponse.srqLimit(command.out(), 0));
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = destroy(channel, handle);
        if (!Destroy.keeps(errno)) {
            closed = true;
            boolean mapped = Destroy.mappingsRemain(errno);
            queue.detach(mapped);
            if (mapped) {
                ring.unmap(channel);
            }
        }
        Command.check(errno, UverbsCommand.DESTROY_SRQ);
    }

    private static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_SRQ, DestroySrq.SIZE, DestroySrqResponse.SIZE)) {
            DestroySrq.setSrqHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
