package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.RxeCreateSrqResponse;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;

/** A shared receive queue: its ring and its commands. */
final class RxeSharedReceiveQueue implements ProviderSharedReceiveQueue {
    private static final String CREATE = UverbsCommand.CREATE_SRQ.name();

    private final CommandChannel channel;
    private final int handle;
    private final MappedRing mapped;
    private final RxeReceiveQueue queue;
    private boolean closed;

    private RxeSharedReceiveQueue(CommandChannel channel, int handle, MappedRing mapped, int maxSge) {
        this.channel = channel;
        this.handle = handle;
        this.mapped = mapped;
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
                RxeRecvWqe.SIZE + (long) RxeSge.SIZE * maxSge,
                CREATE);
        return new RxeSharedReceiveQueue(channel, handle, mapped, maxSge);
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
    public void close() {
        if (closed) {
            return;
        }
        int errno = destroy(channel, handle);
        if (!Destroy.keeps(errno)) {
            closed = true;
            queue.detach();
            if (Destroy.mappingsRemain(errno)) {
                mapped.unmap(channel);
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
