package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.VerbsFault;

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
            try {
                return new RxeCompletionQueue(channel, handle, map(channel, command, granted, UverbsCommand.CREATE_CQ));
            } catch (VerbsFault e) {
                destroy(channel, handle);
                throw e;
            }
        }
    }

    /** The new ring; the kernel has moved the completions into it and writes to the old one no more. */
    static MappedRing resize(CommandChannel channel, int handle, int entries) {
        try (Command command =
                new Command(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, RxeMmapInfo.SIZE)) {
            ResizeCq.setCqHandle(command.in(), 0, handle);
            ResizeCq.setCqe(command.in(), 0, entries);
            command.send(channel);
            return map(channel, command, ResizeCqResponse.cqe(command.out(), 0), UverbsCommand.RESIZE_CQ);
        }
    }

    private static MappedRing map(CommandChannel channel, Command command, int granted, UverbsCommand operation) {
        return MappedRing.map(channel, command.driverOut(), 0, granted, RxeCqe.SIZE, operation.name());
    }

    /** Returns 0 or the errno. */
    static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_CQ, DestroyCq.SIZE, DestroyCqResponse.SIZE)) {
            DestroyCq.setCqHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
