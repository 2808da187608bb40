package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;
import dev.doorbell.verbs.uverbs.MulticastCommands;
import dev.doorbell.verbs.uverbs.QueuePairCommands;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its send ring, its receive ring unless it takes from a shared one, and its commands.
 *
 * <p>Thread rules: the caller lets nobody post while it modifies to RESET or closes.
 */
final class RxeQueuePair implements ProviderQueuePair {
    /**
     * What CREATE_QP gave.
     *
     * @param receiveRing null with a shared receive queue
     */
    record Created(
            int handle,
            int number,
            QueuePairCapacity capacity,
            Doorbell doorbell,
            MappedRing sendRing,
            @Nullable MappedRing receiveRing) {}

    private final CommandChannel channel;
    private final Created created;
    private final RxeSendQueue sendQueue;
    private final @Nullable RxeReceiveQueue receiveQueue;
    private boolean closed;

    RxeQueuePair(CommandChannel channel, Created created) {
        this.channel = channel;
        this.created = created;
        QueuePairCapacity capacity = created.capacity();
        MappedRing receiveRing = created.receiveRing();
        this.sendQueue = new RxeSendQueue(
                created.sendRing().ring(), created.doorbell(), capacity.maxSendSge(), capacity.maxInline());
        this.receiveQueue =
                receiveRing == null ? null : new RxeReceiveQueue(receiveRing.ring(), capacity.maxReceiveSge());
    }

    @Override
    public int handle() {
        return created.handle();
    }

    @Override
    public int number() {
        return created.number();
    }

    @Override
    public QueuePairCapacity capacity() {
        return created.capacity();
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        QueuePairCommands.modify(channel, handle(), attributes);
        if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RESET) {
            // The kernel has emptied the rings, in its own way: by moving an index, or both to 0.
            sendQueue.synchronise();
            if (receiveQueue != null) {
                receiveQueue.synchronise();
            }
        }
        if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RTS) {
            sendQueue.resume();
        }
    }

    @Override
    public QueuePairAttributes query() {
        return QueuePairCommands.query(channel, handle());
    }

    @Override
    public SendQueue sendQueue() {
        return sendQueue;
    }

    @Override
    public ReceiveQueue receiveQueue() {
        if (receiveQueue == null) {
            throw new VerbsFault(Errno.EINVAL, "receive queue of a queue pair with a shared one");
        }
        return receiveQueue;
    }

    /** On Linux this starts the requester alone; the embedded kernel flushes both queues. */
    @Override
    public void flushReceives() {
        created.doorbell().ring();
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        MulticastCommands.attach(channel, handle(), group, lid);
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        MulticastCommands.detach(channel, handle(), group, lid);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = QueuePairCommands.destroy(channel, handle());
        if (!Destroy.keeps(errno)) {
            closed = true;
            boolean mapped = Destroy.mappingsRemain(errno);
            sendQueue.detach(mapped);
            if (receiveQueue != null) {
                receiveQueue.detach(mapped);
            }
            if (mapped) {
                unmap();
            }
        }
        Command.check(errno, UverbsCommand.DESTROY_QP);
    }

    private void unmap() {
        created.sendRing().unmap(channel);
        MappedRing receiveRing = created.receiveRing();
        if (receiveRing != null) {
            receiveRing.unmap(channel);
        }
    }
}
