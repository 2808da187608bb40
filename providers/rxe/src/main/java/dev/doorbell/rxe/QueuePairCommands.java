package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.DestroyQp;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** CREATE_QP, MODIFY_QP, QUERY_QP and DESTROY_QP. */
final class QueuePairCommands {
    /** Every attribute that QUERY_QP knows; rxe reports all, whatever is asked for. */
    private static final int EVERYTHING =
            QueuePairAttribute.mask(EnumSet.complementOf(EnumSet.of(QueuePairAttribute.RATE_LIMIT)));

    private static final String CREATE = UverbsCommand.CREATE_QP.name();

    private QueuePairCommands() {}

    static RxeQueuePair create(CommandChannel channel, QueuePairRequest request) {
        try (Command command =
                new Command(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, RxeCreateQpResponse.SIZE)) {
            fill(command.in(), request);
            command.send(channel);
            boolean ownReceiveQueue = request.sharedReceiveQueue() == null;
            try {
                return new RxeQueuePair(channel, map(channel, command, ownReceiveQueue));
            } catch (VerbsFault e) {
                destroy(channel, CreateQpResponse.qpHandle(command.out(), 0));
                throw e;
            }
        }
    }

    private static void fill(MemorySegment in, QueuePairRequest request) {
        QueuePairCapacity capacity = request.capacity();
        ProviderSharedReceiveQueue shared = request.sharedReceiveQueue();
        CreateQp.setUserHandle(in, 0, request.cookie());
        CreateQp.setPdHandle(in, 0, request.protectionDomain());
        CreateQp.setSendCqHandle(in, 0, request.sendQueue().handle());
        CreateQp.setRecvCqHandle(in, 0, request.receiveQueue().handle());
        if (shared != null) {
            CreateQp.setSrqHandle(in, 0, shared.handle());
            CreateQp.setIsSrq(in, 0, 1);
        }
        CreateQp.setMaxSendWr(in, 0, capacity.maxSendRequests());
        CreateQp.setMaxRecvWr(in, 0, capacity.maxReceiveRequests());
        CreateQp.setMaxSendSge(in, 0, capacity.maxSendSge());
        CreateQp.setMaxRecvSge(in, 0, capacity.maxReceiveSge());
        CreateQp.setMaxInlineData(in, 0, capacity.maxInline());
        CreateQp.setSqSigAll(in, 0, request.signalAll() ? 1 : 0);
        CreateQp.setQpType(in, 0, request.type().code());
    }

    private static RxeQueuePair.Created map(CommandChannel channel, Command command, boolean ownReceiveQueue) {
        MemorySegment out = command.out();
        QueuePairCapacity granted = granted(out);
        int handle = CreateQpResponse.qpHandle(out, 0);
        int number = CreateQpResponse.qpn(out, 0);
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

    private static QueuePairCapacity granted(MemorySegment out) {
        QueuePairCapacity granted = new QueuePairCapacity(
                CreateQpResponse.maxSendWr(out, 0),
                CreateQpResponse.maxRecvWr(out, 0),
                CreateQpResponse.maxSendSge(out, 0),
                CreateQpResponse.maxRecvSge(out, 0),
                CreateQpResponse.maxInlineData(out, 0));
        if (granted.maxSendSge() < 0 || granted.maxReceiveSge() < 0 || granted.maxInline() < 0) {
            throw new VerbsFault(Errno.EIO, CREATE + ": granted " + granted);
        }
        return granted;
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

    static void modify(CommandChannel channel, int handle, QueuePairAttributes attributes) {
        try (Command command = new Command(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0)) {
            ModifyQp.setQpHandle(command.in(), 0, handle);
            AttributeFields.write(command.in(), attributes);
            command.send(channel);
        }
    }

    static QueuePairAttributes query(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.QUERY_QP, QueryQp.SIZE, QueryQpResponse.SIZE)) {
            QueryQp.setQpHandle(command.in(), 0, handle);
            QueryQp.setAttrMask(command.in(), 0, EVERYTHING);
            command.send(channel);
            return AttributeFields.read(command.out());
        }
    }

    /** Returns 0 or the errno. */
    static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_QP, DestroyQp.SIZE, DestroyQpResponse.SIZE)) {
            DestroyQp.setQpHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
