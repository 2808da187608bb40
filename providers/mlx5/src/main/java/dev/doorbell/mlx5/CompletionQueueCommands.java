package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.ExModifyCq;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCqResponse;
import dev.doorbell.kernel.abi.mlx5.Mlx5ResizeCq;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CREATE_CQ, RESIZE_CQ and DESTROY_CQ. */
final class CompletionQueueCommands {
    private static final int MAX_ENTRIES = 1 << 22;

    private CompletionQueueCommands() {}

    static Mlx5CompletionQueue create(Mlx5Device device, CompletionQueueRequest request, int entrySize) {
        int entries = entries(UverbsCommand.CREATE_CQ, request.entries());
        CqeRing ring = new CqeRing(MemorySegment.NULL, entries, Integer.numberOfTrailingZeros(entrySize));
        QueueMemory memory = allocate(device.channel(), UverbsCommand.CREATE_CQ, ring);
        DoorbellRecords.Slot record = device.records().allocate();
        try (Command command = command(request, entries)) {
            command.addDriverIn(Mlx5CreateCq.SIZE);
            fill(command.driverIn(), device, memory, record, entrySize);
            command.send(device.channel());
            int handle = CreateCqResponse.cqHandle(command.out(), 0);
            int number = Mlx5CreateCqResponse.number(command.driverOut(), 0);
            return new Mlx5CompletionQueue(
                    device,
                    new Mlx5CompletionQueue.Created(
                            handle, number, ring.in(memory), memory, record, request.timestamps()));
        } catch (VerbsFault e) {
            memory.close();
            device.records().free(record);
            throw e;
        }
    }

    /** A power of two; one more than can be used. */
    private static int entries(UverbsCommand command, int wanted) {
        if (wanted < 1 || wanted >= MAX_ENTRIES) {
            throw new VerbsFault(Errno.EINVAL, command.name() + ": " + wanted + " entries");
        }
        return (int) SendQueueShape.powerOfTwo(wanted + 1L);
    }

    private static QueueMemory allocate(CommandChannel channel, UverbsCommand command, CqeRing shape) {
        QueueMemory memory = QueueMemory.allocate(channel, shape.bytes(), command.name());
        shape.in(memory).initialise();
        return memory;
    }

    /** Flags are said by the extended command alone; its answer begins as the other's. */
    private static Command command(CompletionQueueRequest request, int entries) {
        int flags = (request.timestamps() ? ExCreateCq.TIMESTAMPS : 0)
                | (request.ignoreOverrun() ? ExCreateCq.IGNORE_OVERRUN : 0);
        if (flags == 0) {
            Command command = new Command(
                    UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, Mlx5CreateCqResponse.SIZE);
            CreateCq.setUserHandle(command.in(), 0, request.cookie());
            CreateCq.setCqe(command.in(), 0, entries - 1);
            CreateCq.setCompVector(command.in(), 0, request.vector());
            CreateCq.setCompChannel(command.in(), 0, request.channel());
            return command;
        }
        Command command = new Command(
                UverbsCommand.EX_CREATE_CQ, ExCreateCq.SIZE, ExCreateCqResponse.SIZE, Mlx5CreateCqResponse.SIZE);
        ExCreateCq.setUserHandle(command.in(), 0, request.cookie());
        ExCreateCq.setCqe(command.in(), 0, entries - 1);
        ExCreateCq.setCompVector(command.in(), 0, request.vector());
        ExCreateCq.setCompChannel(command.in(), 0, request.channel());
        ExCreateCq.setFlags(command.in(), 0, flags);
        return command;
    }

    /** A ring that the device uses from now on, and where it lies. */
    record Moved(CqeRing ring, QueueMemory memory) {}

    /** RESIZE_CQ: what waits in the present ring is still there. Null if the size would be the same, of which the kernel makes nothing. */
    static @Nullable Moved resize(CommandChannel channel, int handle, CqeRing present, int wanted) {
        int entries = entries(UverbsCommand.RESIZE_CQ, wanted);
        if (entries == present.entries()) {
            return null;
        }
        CqeRing ring = new CqeRing(MemorySegment.NULL, entries, present.shift());
        QueueMemory memory = allocate(channel, UverbsCommand.RESIZE_CQ, ring);
        try (Command command = new Command(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE)) {
            ResizeCq.setCqHandle(command.in(), 0, handle);
            ResizeCq.setCqe(command.in(), 0, entries - 1);
            command.addDriverIn(Mlx5ResizeCq.SIZE);
            Mlx5ResizeCq.setBuffer(command.driverIn(), 0, memory.address());
            Mlx5ResizeCq.setEntrySize(command.driverIn(), 0, 1 << ring.shift());
            command.send(channel);
            return new Moved(ring.in(memory), memory);
        } catch (VerbsFault e) {
            memory.close();
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

    /** EX_MODIFY_CQ. */
    static void moderate(CommandChannel channel, int handle, int completions, int periodMicros) {
        try (Command command = new Command(UverbsCommand.EX_MODIFY_CQ, ExModifyCq.SIZE, 0)) {
            ExModifyCq.setCqHandle(command.in(), 0, handle);
            ExModifyCq.setAttrMask(command.in(), 0, ExModifyCq.MODERATION);
            ExModifyCq.setCount(command.in(), 0, completions);
            ExModifyCq.setPeriod(command.in(), 0, periodMicros);
            command.send(channel);
        }
    }

    /** Returns 0 or the errno. */
    static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_CQ, DestroyCq.SIZE, DestroyCqResponse.SIZE)) {
            DestroyCq.setCqHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
