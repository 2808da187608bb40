package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQpResponse;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.QueuePairCommands;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CREATE_QP: sizes the queues, allocates what the device needs, and undoes it where the kernel refuses. */
final class QueuePairCreation {
    /** Offers the vendor connection options that every device of this family has. */
    private static final int CONNECTION_OPTIONS = 0x1000_0000;

    private final Mlx5Device device;
    private final QueuePairRequest request;
    private final ReceiveQueueShape receiveShape;
    private final SendQueueShape sendShape;

    private QueuePairCreation(Mlx5Device device, QueuePairRequest request) {
        this.device = device;
        this.request = request;
        boolean shared = request.sharedReceiveQueue() != null;
        this.receiveShape = ReceiveQueueShape.of(request.capacity(), shared, device.limits());
        this.sendShape = SendQueueShape.of(request.type(), request.capacity(), device.limits(), receiveShape.bytes());
    }

    static Mlx5QueuePair create(Mlx5Device device, QueuePairRequest request) {
        return device.queuePairs().alone(new QueuePairCreation(device, request)::create);
    }

    private Mlx5QueuePair create() {
        QueueMemory memory = QueueMemory.allocate(device.channel(), sendShape.end(), "CREATE_QP");
        DoorbellRecords.Slot record = device.records().allocate();
        int index = device.queuePairs().reserve();
        Register register = null;
        try {
            register = device.registers().areDynamic() ? device.registers().take() : null;
            return send(new Mlx5QueuePair.Resources(memory, record, index), register);
        } catch (VerbsFault e) {
            if (register != null) {
                device.registers().release(register);
            }
            if (device.queuePairs().isByUserIndex()) {
                device.queuePairs().remove(index);
            }
            device.records().free(record);
            memory.close();
            throw e;
        }
    }

    private Mlx5QueuePair send(Mlx5QueuePair.Resources resources, @Nullable Register taken) {
        try (Command command =
                new Command(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, Mlx5CreateQpResponse.SIZE)) {
            QueuePairCommands.fill(command.in(), request, told());
            command.addDriverIn(Mlx5CreateQp.SIZE);
            fill(command.driverIn(), resources, taken);
            command.send(device.channel());
            int handle = CreateQpResponse.qpHandle(command.out(), 0);
            try {
                int number = QueuePairCommands.number(command.out());
                Register register = taken != null
                        ? taken
                        : device.registers().named(Mlx5CreateQpResponse.register(command.driverOut(), 0));
                return wrap(resources, handle, number, register);
            } catch (VerbsFault e) {
                QueuePairCommands.destroy(device.channel(), handle);
                throw e;
            }
        }
    }

    /** The sizes as they were asked for, but for the inline bytes that there will be. */
    private QueuePairCapacity told() {
        QueuePairCapacity asked = request.capacity();
        return new QueuePairCapacity(
                asked.maxSendRequests(),
                request.sharedReceiveQueue() == null ? asked.maxReceiveRequests() : 0,
                asked.maxSendSge(),
                request.sharedReceiveQueue() == null ? asked.maxReceiveSge() : 0,
                sendShape.maxInline());
    }

    private void fill(MemorySegment in, Mlx5QueuePair.Resources resources, @Nullable Register register) {
        Mlx5CreateQp.setBuffer(in, 0, resources.memory().address());
        Mlx5CreateQp.setRecord(in, 0, resources.record().address());
        Mlx5CreateQp.setSendBlocks(in, 0, sendShape.blocks());
        Mlx5CreateQp.setReceiveRequests(in, 0, receiveShape.requests());
        Mlx5CreateQp.setReceiveShift(in, 0, receiveShape.shift());
        int flags = device.settings().dataInside() ? Mlx5CreateQp.SCATTER_TO_CQE : 0;
        if (register != null) {
            flags |= Mlx5CreateQp.NAMES_REGISTER_PAGE;
            Mlx5CreateQp.setRegister(in, 0, register.number());
        }
        Mlx5CreateQp.setFlags(in, 0, flags);
        Mlx5CreateQp.setUserIndex(in, 0, resources.index());
        Mlx5CreateQp.setConnectionOptions(in, 0, device.limits().hasConnectionOptions() ? CONNECTION_OPTIONS : 0);
    }

    private Mlx5QueuePair wrap(Mlx5QueuePair.Resources resources, int handle, int number, Register register) {
        MemorySegment memory = resources.memory().segment();
        QueuePairIdentity identity = new QueuePairIdentity(
                number, request.type(), request.signalAll(), device.addresses(), device.windows());
        Mlx5SendQueue send =
                new Mlx5SendQueue(memory, sendShape, device.stores(), resources.record(), register, identity);
        ProviderSharedReceiveQueue shared = request.sharedReceiveQueue();
        Mlx5ReceiveQueue receive =
                shared != null ? null : new Mlx5ReceiveQueue(memory, receiveShape, resources.record(), device.stores());
        WorkQueues queues = new WorkQueues(number, send, receive, receives(shared));
        QueuePairCapacity granted = new QueuePairCapacity(
                sendShape.requests(),
                receiveShape.requests(),
                sendShape.maxSge(),
                receiveShape.maxSge(),
                sendShape.maxInline());
        return new Mlx5QueuePair(
                device,
                new Mlx5QueuePair.Created(
                        handle,
                        queues,
                        granted,
                        resources,
                        register,
                        (Mlx5CompletionQueue) request.sendQueue(),
                        (Mlx5CompletionQueue) request.receiveQueue()));
    }

    private static @Nullable Mlx5SharedReceives receives(@Nullable ProviderSharedReceiveQueue shared) {
        if (shared == null) {
            return null;
        }
        if (shared instanceof Mlx5SharedReceiveQueue own) {
            return own.receives();
        }
        throw new VerbsFault(Errno.EINVAL, "CREATE_QP: a shared receive queue of another driver");
    }
}
