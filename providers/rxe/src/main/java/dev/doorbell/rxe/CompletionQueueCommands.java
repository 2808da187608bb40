package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;

/** CREATE_CQ, RESIZE_CQ and DESTROY_CQ. */
final class CompletionQueueCommands {
    private CompletionQueueCommands() {}

    static RxeCompletionQueue create(CommandChannel channel, int entries, int vector, int eventChannel, long cookie) {
        try (Command command =
                new Command(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, RxeMmapInfo.SIZE)) {
            CreateCq.setUserHandle(command.in(), 0, cookie);
            CreateCq.setCqe(command.in(), 0, entries);
            CreateCq.setCompVector(command.in(), 0, vector);
            CreateCq.setCompChannel(command.in(), 0, eventChannel);
            command.send(channel);
            int handle = CreateCqResponse.cqHandle(command.out(), 0);
            int granted = CreateCqResponse.cqe(command.out(), 0);
            return wrap(channel, command, handle, granted, false);
        }
    }

    /** EX_CREATE_CQ, which alone has flags; rxe on Linux has none of them and refuses. */
    static RxeCompletionQueue createExtended(CommandChannel channel, CompletionQueueRequest request) {
        try (Command command =
                new Command(UverbsCommand.EX_CREATE_CQ, ExCreateCq.SIZE, ExCreateCqResponse.SIZE, RxeMmapInfo.SIZE)) {
            ExCreateCq.setUserHandle(command.in(), 0, request.cookie());
            ExCreateCq.setCqe(command.in(), 0, request.entries());
            ExCreateCq.setCompVector(command.in(), 0, request.vector());
            ExCreateCq.setCompChannel(command.in(), 0, request.channel());
            int flags = request.timestamps() ? ExCreateCq.TIMESTAMPS : 0;
            ExCreateCq.setFlags(command.in(), 0, request.ignoreOverrun() ? flags | ExCreateCq.IGNORE_OVERRUN : flags);
            command.send(channel);
            int handle = CreateCqResponse.cqHandle(command.out(), 0);
            return wrap(channel, command, handle, CreateCqResponse.cqe(command.out(), 0), request.timestamps());
        }
    }

    private static RxeCompletionQueue wrap(
            CommandChannel channel, Command command, int handle, int granted, boolean timestamps) {
        try {
            MappedRing ring = MappedRing.map(
                    channel, command.driverOut(), 0, granted, elementBytes(timestamps), UverbsCommand.CREATE_CQ.name());
            return new RxeCompletionQueue(channel, handle, ring, timestamps);
        } catch (VerbsFault e) {
            destroy(channel, handle);
            throw e;
        }
    }

    private static int elementBytes(boolean timestamps) {
        return timestamps ? RxeCqe.SIZE + Long.BYTES : RxeCqe.SIZE;
    }

    /**
     * The new ring; the kernel has moved the completions into it and writes to the old one no more.
     *
     * @throws VerbsFault {@linkplain VerbsFault#isLostRing() lost} if it could not be mapped
     */
    static MappedRing resize(CommandChannel channel, int handle, int entries, boolean timestamps) {
        try (Command command =
                new Command(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, RxeMmapInfo.SIZE)) {
            ResizeCq.setCqHandle(command.in(), 0, handle);
            ResizeCq.setCqe(command.in(), 0, entries);
            command.send(channel);
            return MappedRing.remap(
                    channel,
                    command.driverOut(),
                    0,
                    ResizeCqResponse.cqe(command.out(), 0),
                    elementBytes(timestamps),
                    UverbsCommand.RESIZE_CQ.name());
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
