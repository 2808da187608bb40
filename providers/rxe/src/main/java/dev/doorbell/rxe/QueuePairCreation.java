package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.QueuePairCommands;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CREATE_QP, and the rings that come with it. */
final class QueuePairCreation {
    private static final String CREATE = UverbsCommand.CREATE_QP.name();

    private QueuePairCreation() {}

    static RxeQueuePair create(CommandChannel channel, QueuePairRequest request) {
        try (Command command =
                new Command(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, RxeCreateQpResponse.SIZE)) {
            QueuePairCommands.fill(command.in(), request, request.capacity());
            command.send(channel);
            boolean ownReceiveQueue = request.sharedReceiveQueue() == null;
            try {
                return new RxeQueuePair(channel, map(channel, command, ownReceiveQueue));
            } catch (VerbsFault e) {
                QueuePairCommands.destroy(channel, CreateQpResponse.qpHandle(command.out(), 0));
                throw e;
            }
        }
    }

    private static RxeQueuePair.Created map(CommandChannel channel, Command command, boolean ownReceiveQueue) {
        MemorySegment out = command.out();
        QueuePairCapacity granted = QueuePairCommands.granted(out);
        int handle = CreateQpResponse.qpHandle(out, 0);
        int number = QueuePairCommands.number(out);
        Doorbell doorbell = doorbell(channel, handle);
        MappedRing sendRing = MappedRing.map(
                channel,
                command.driverOut(),
                RxeCreateQpResponse.SEND_QUEUE,
                granted.maxSendRequests(),
                RxeSendWqe.SIZE + Math.max((long) RxeSge.SIZE * granted.maxSendSge(), granted.maxInline()),
                CREATE);
        MappedRing receiveRing = null;
        if (ownReceiveQueue) {
            try {
                receiveRing = mapReceiveRing(channel, command, granted);
            } catch (VerbsFault e) {
                sendRing.unmap(channel);
                throw e;
            }
        }
        QueuePairCapacity held = held(granted, sendRing, receiveRing);
        return new RxeQueuePair.Created(handle, number, held, doorbell, sendRing, receiveRing);
    }

    private static Doorbell doorbell(CommandChannel channel, int handle) {
        try {
            return channel.doorbell(handle);
        } catch (KernelException e) {
            throw Command.fault(e, CREATE);
        }
    }

    private static MappedRing mapReceiveRing(CommandChannel channel, Command command, QueuePairCapacity granted) {
        return MappedRing.map(
                channel,
                command.driverOut(),
                RxeCreateQpResponse.RECEIVE_QUEUE,
                granted.maxReceiveRequests(),
                RxeRecvWqe.SIZE + (long) RxeSge.SIZE * granted.maxReceiveSge(),
                CREATE);
    }

    /** What the queues hold: kernels before 6.4 report the work requests asked for, not the slots that they made. */
    private static QueuePairCapacity held(
            QueuePairCapacity granted, MappedRing sendRing, @Nullable MappedRing receiveRing) {
        return new QueuePairCapacity(
                sendRing.ring().capacity(),
                receiveRing == null ? 0 : receiveRing.ring().capacity(),
                granted.maxSendSge(),
                receiveRing == null ? 0 : granted.maxReceiveSge(),
                granted.maxInline());
    }
}
