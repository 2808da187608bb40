package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCqResponse;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import java.lang.foreign.MemorySegment;

/** CREATE_CQ and DESTROY_CQ. */
final class CompletionQueueCommands {
    private static final int MAX_ENTRIES = 1 << 22;

    private CompletionQueueCommands() {}

    static Mlx5CompletionQueue create(Mlx5Device device, CompletionQueueRequest request, int entrySize) {
        if (request.entries() < 1 || request.entries() >= MAX_ENTRIES) {
            throw new VerbsFault(Errno.EINVAL, "CREATE_CQ: " + request.entries() + " entries");
        }
        int entries = (int) SendQueueShape.powerOfTwo(request.entries() + 1L);
        CommandChannel channel = device.channel();
        QueueMemory memory = QueueMemory.allocate(channel, (long) entries * entrySize, "CREATE_CQ");
        CqeRing ring = new CqeRing(memory.segment(), entries, Integer.numberOfTrailingZeros(entrySize));
        ring.initialise();
        DoorbellRecords.Slot record = device.records().allocate();
        try (Command command =
                new Command(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, Mlx5CreateCqResponse.SIZE)) {
            CreateCq.setUserHandle(command.in(), 0, request.cookie());
            CreateCq.setCqe(command.in(), 0, entries - 1);
            CreateCq.setCompVector(command.in(), 0, request.vector());
            CreateCq.setCompChannel(command.in(), 0, request.channel());
            command.addDriverIn(Mlx5CreateCq.SIZE);
            fill(command.driverIn(), device, memory, record, entrySize);
            command.send(channel);
            int handle = CreateCqResponse.cqHandle(command.out(), 0);
            int number = Mlx5CreateCqResponse.number(command.driverOut(), 0);
            return new Mlx5CompletionQueue(
                    device, new Mlx5CompletionQueue.Created(handle, number, ring, memory, record));
        } catch (VerbsFault e) {
            memory.close();
            device.records().free(record);
            throw e;
        }
    }

    private static void fill(
            MemorySegment in, Mlx5Device device, QueueMemory memory, DoorbellRecords.Slot record, int entrySize) {
        Mlx5CreateCq.setBuffer(in, 0, memory.address());
        Mlx5CreateCq.setRecord(in, 0, record.address());
        Mlx5CreateCq.setEntrySize(in, 0, entrySize);
        if (device.registers().areDynamic()) {
            Mlx5CreateCq.setFlags(in, 0, Mlx5CreateCq.NAMES_REGISTER_PAGE);
            Mlx5CreateCq.setRegisterPage(in, 0, device.registers().armPageNumber());
        }
    }

    /** The size of entries that the device is told of unless somebody wants another. */
    static int usualEntrySize() {
        return Cqe.SIZE;
    }

    /** Returns 0 or the errno. */
    static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_CQ, DestroyCq.SIZE, DestroyCqResponse.SIZE)) {
            DestroyCq.setCqHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
