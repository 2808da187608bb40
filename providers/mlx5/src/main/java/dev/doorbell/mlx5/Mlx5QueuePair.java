package dev.doorbell.mlx5;

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

/**
 * A queue pair: its queues, which lie in one buffer, and its commands. The driver keeps the state, since the device ignores work
 * requests of a queue pair that may not send yet, rather than refusing them.
 *
 * <p>Thread rules: the caller lets nobody post while it modifies to RESET or closes.
 */
final class Mlx5QueuePair implements ProviderQueuePair {
    /** What was allocated for it. */
    record Resources(QueueMemory memory, DoorbellRecords.Slot record, int index) {}

    /** What CREATE_QP gave, and what it was given. */
    record Created(
            int handle,
            WorkQueues queues,
            QueuePairCapacity capacity,
            Resources resources,
            Register register,
            Mlx5CompletionQueue sendCompletions,
            Mlx5CompletionQueue receiveCompletions) {}

    private final Mlx5Device device;
    private final Created created;
    private final int key;
    private boolean closed;

    Mlx5QueuePair(Mlx5Device device, Created created) {
        this.device = device;
        this.created = created;
        this.key = device.queuePairs().isByUserIndex()
                ? created.resources().index()
                : created.queues().number();
        device.queuePairs().put(key, created.queues());
    }

    /** Its queues. */
    WorkQueues queues() {
        return created.queues();
    }

    @Override
    public int handle() {
        return created.handle();
    }

    @Override
    public int number() {
        return created.queues().number();
    }

    @Override
    public QueuePairCapacity capacity() {
        return created.capacity();
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        QueuePairCommands.modify(device.channel(), handle(), attributes);
        if (attributes.has(QueuePairAttribute.STATE)) {
            moved(attributes.state());
        }
    }

    private void moved(QueuePairState state) {
        WorkQueues queues = created.queues();
        if (state == QueuePairState.RESET) {
            clean();
            queues.send().reset();
            if (queues.receive() != null) {
                queues.receive().reset();
            }
        }
        if (queues.receive() != null) {
            queues.receive().setOpen(state != QueuePairState.RESET);
        }
        switch (state) {
            case RESET, INIT, RTR -> queues.send().setOpen(false);
            case RTS, SQD, SQE, ERROR -> queues.send().setOpen(true);
        }
    }

    /** What was completed of it before is told no more. */
    private void clean() {
        created.receiveCompletions().clean(key, created.queues().shared());
        if (created.sendCompletions() != created.receiveCompletions()) {
            created.sendCompletions().clean(key, null);
        }
    }

    @Override
    public QueuePairAttributes query() {
        return QueuePairCommands.query(device.channel(), handle());
    }

    @Override
    public SendQueue sendQueue() {
        return created.queues().send();
    }

    @Override
    public ReceiveQueue receiveQueue() {
        Mlx5ReceiveQueue receive = created.queues().receive();
        if (receive == null) {
            throw new VerbsFault(Errno.EINVAL, "receive queue of a queue pair with a shared one");
        }
        return receive;
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        MulticastCommands.attach(device.channel(), handle(), group, lid);
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        MulticastCommands.detach(device.channel(), handle(), group, lid);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = device.queuePairs().alone(this::destroy);
        Command.check(errno, UverbsCommand.DESTROY_QP);
    }

    private int destroy() {
        int errno = QueuePairCommands.destroy(device.channel(), handle());
        if (!Destroy.keeps(errno)) {
            closed = true;
            release();
        }
        return errno;
    }

    private void release() {
        created.queues().send().setOpen(false);
        clean();
        device.queuePairs().remove(key);
        device.registers().release(created.register());
        device.records().free(created.resources().record());
        created.resources().memory().close();
    }
}
