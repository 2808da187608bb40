package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.DestroyQp;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** CREATE_QP without driver data, MODIFY_QP, QUERY_QP and DESTROY_QP. */
public final class QueuePairCommands {
    /** Every attribute that QUERY_QP knows; rxe reports all, whatever is asked for. */
    private static final int EVERYTHING =
            QueuePairAttribute.mask(EnumSet.complementOf(EnumSet.of(QueuePairAttribute.RATE_LIMIT)));

    private static final int NUMBER_MASK = 0xff_ffff;
    private static final String CREATE = UverbsCommand.CREATE_QP.name();

    private QueuePairCommands() {}

    /** The core part of CREATE_QP, with the sizes that the kernel is to be told. */
    public static void fill(MemorySegment in, QueuePairRequest request, QueuePairCapacity capacity) {
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

    /** The sizes that CREATE_QP answered; EIO for sizes that there are not. */
    public static QueuePairCapacity granted(MemorySegment out) {
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

    /** The number that CREATE_QP answered; EIO for one that no packet could carry. */
    public static int number(MemorySegment out) {
        int number = CreateQpResponse.qpn(out, 0);
        if ((number & NUMBER_MASK) != number) {
            throw new VerbsFault(Errno.EIO, CREATE + ": a queue pair with the number 0x" + Integer.toHexString(number));
        }
        return number;
    }

    /** MODIFY_QP. */
    public static void modify(CommandChannel channel, int handle, QueuePairAttributes attributes) {
        try (Command command = new Command(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0)) {
            ModifyQp.setQpHandle(command.in(), 0, handle);
            AttributeFields.write(command.in(), attributes);
            command.send(channel);
        }
    }

    /** QUERY_QP. */
    public static QueuePairAttributes query(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.QUERY_QP, QueryQp.SIZE, QueryQpResponse.SIZE)) {
            QueryQp.setQpHandle(command.in(), 0, handle);
            QueryQp.setAttrMask(command.in(), 0, EVERYTHING);
            command.send(channel);
            return AttributeFields.read(command.out());
        }
    }

    /** Returns 0 or the errno. */
    public static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_QP, DestroyQp.SIZE, DestroyQpResponse.SIZE)) {
            DestroyQp.setQpHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
