package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.ModifySrq;
import dev.doorbell.kernel.abi.QuerySrq;
import dev.doorbell.kernel.abi.QuerySrqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateSrq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateSrqResponse;
import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;

/** A shared receive queue: its work requests and its commands. */
final class Mlx5SharedReceiveQueue implements ProviderSharedReceiveQueue {
    private static final int LIMIT = 2;

    private final Mlx5Device device;
    private final int handle;
    private final int number;
    private final QueueMemory memory;
    private final DoorbellRecords.Slot record;
    private final SharedQueueShape shape;
    private final Mlx5SharedReceives receives;
    private boolean closed;

    private Mlx5SharedReceiveQueue(
            Mlx5Device device,
            Command command,
            SharedQueueShape shape,
            QueueMemory memory,
            DoorbellRecords.Slot record) {
        this.device = device;
        this.handle = CreateSrqResponse.srqHandle(command.out(), 0);
        this.number = Mlx5CreateSrqResponse.number(command.driverOut(), 0);
        this.shape = shape;
        this.memory = memory;
        this.record = record;
        this.receives = new Mlx5SharedReceives(memory.segment(), shape, record, device.stores());
    }

    /** What a shared receive queue is to be. */
    record Request(int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {}

    static Mlx5SharedReceiveQueue create(Mlx5Device device, Request request) {
        SharedQueueShape shape = SharedQueueShape.of(request.maxWorkRequests(), request.maxSge(), device.limits());
        QueueMemory memory = QueueMemory.allocate(device.channel(), shape.bytes(), "CREATE_SRQ");
        DoorbellRecords.Slot record = device.records().allocate();
        try (Command command = new Command(
                UverbsCommand.CREATE_SRQ, CreateSrq.SIZE, CreateSrqResponse.SIZE, Mlx5CreateSrqResponse.SIZE)) {
            CreateSrq.setUserHandle(command.in(), 0, request.cookie());
            CreateSrq.setPdHandle(command.in(), 0, request.protectionDomain());
            CreateSrq.setMaxWr(command.in(), 0, shape.entries() - 1);
            CreateSrq.setMaxSge(command.in(), 0, shape.maxSge());
            CreateSrq.setSrqLimit(command.in(), 0, request.limit());
            command.addDriverIn(Mlx5CreateSrq.SIZE);
            Mlx5CreateSrq.setBuffer(command.driverIn(), 0, memory.address());
            Mlx5CreateSrq.setRecord(command.driverIn(), 0, record.address());
            command.send(device.channel());
            return new Mlx5SharedReceiveQueue(device, command, shape, memory, record);
        } catch (VerbsFault e) {
            device.records().free(record);
            memory.close();
            throw e;
        }
    }

    SharedQueueShape shape() {
        return shape;
    }

    Mlx5SharedReceives receives() {
        return receives;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ReceiveQueue receiveQueue() {
        return receives;
    }

    @Override
    public void arm(int limit) {
        try (Command command = new Command(UverbsCommand.MODIFY_SRQ, ModifySrq.SIZE, 0)) {
            ModifySrq.setSrqHandle(command.in(), 0, handle);
            ModifySrq.setAttrMask(command.in(), 0, LIMIT);
            ModifySrq.setSrqLimit(command.in(), 0, limit);
            command.send(device.channel());
        }
    }

    @Override
    public SharedReceiveQueueAttributes query() {
        try (Command command = new Command(UverbsCommand.QUERY_SRQ, QuerySrq.SIZE, QuerySrqResponse.SIZE)) {
            QuerySrq.setSrqHandle(command.in(), 0, handle);
            command.send(device.channel());
            return new SharedReceiveQueueAttributes(
                    shape.requests(), shape.maxSge(), QuerySrqResponse.srqLimit(command.out(), 0));
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = destroy(device.channel(), handle);
        if (!Destroy.keeps(errno)) {
            closed = true;
            device.records().free(record);
            memory.close();
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
