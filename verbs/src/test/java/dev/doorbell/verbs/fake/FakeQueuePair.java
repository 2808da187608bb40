package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairTransitions;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.ArrayList;
import java.util.List;

/** A queue pair whose device does nothing by itself, or completes everything at once, or flushes, as a test wants. */
public final class FakeQueuePair implements ProviderQueuePair {
    /** What was modified, in order. */
    public final List<QueuePairAttributes> modifications = new ArrayList<>();

    /** Whether the device flushes in the error state. */
    public volatile boolean flushes = true;

    public final FakeSendQueue sends;
    public final FakeReceiveQueue receives;

    private final FakeContext context;
    private final int handle;
    private final QueuePairRequest request;
    private QueuePairState state = QueuePairState.RESET;
    private volatile boolean closed;

    FakeQueuePair(FakeContext context, CommandChannel channel, int handle, QueuePairRequest request) {
        this.context = context;
        this.handle = handle;
        this.request = request;
        Doorbell doorbell = channel.doorbell(handle);
        this.sends = new FakeSendQueue(
                this, (FakeCompletionQueue) request.sendQueue(), doorbell, capacity(), request.signalAll());
        this.receives = new FakeReceiveQueue(this, (FakeCompletionQueue) request.receiveQueue(), capacity());
    }

    /** Refuses what touches unmapped rings. */
    void checkMapped() {
        if (closed) {
            throw new IllegalStateException("a ring was touched after it was unmapped");
        }
    }

    /** What the API asked for. */
    public QueuePairRequest request() {
        return request;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int number() {
        return 0x100 + handle;
    }

    @Override
    public QueuePairCapacity capacity() {
        QueuePairCapacity asked = request.capacity();
        return new QueuePairCapacity(
                Integer.highestOneBit(asked.maxSendRequests() + 1) * 2 - 1,
                Integer.highestOneBit(asked.maxReceiveRequests() + 1) * 2 - 1,
                asked.maxSendSge(),
                asked.maxReceiveSge(),
                asked.maxInline());
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        context.invoke(UverbsCommand.MODIFY_QP);
        QueuePairState to = attributes.has(QueuePairAttribute.STATE) ? attributes.state() : state;
        if (!QueuePairTransitions.check(request.type(), state, to, QueuePairAttribute.mask(attributes.mask()))
                .isAllowed()) {
            throw new VerbsFault(Errno.EINVAL, "MODIFY_QP");
        }
        modifications.add(attributes);
        state = to;
        if (to == QueuePairState.ERROR && flushes) {
            sends.flush();
            receives.flush();
        } else if (to == QueuePairState.RESET) {
            sends.reset();
            receives.reset();
        }
    }

    @Override
    public QueuePairAttributes query() {
        context.invoke(UverbsCommand.QUERY_QP);
        return QueuePairAttributes.builder().state(state).build();
    }

    /** Moves to a state behind the API's back, as a device does that found an error. */
    public void fail() {
        state = QueuePairState.ERROR;
    }

    @Override
    public SendQueue sendQueue() {
        return sends;
    }

    @Override
    public ReceiveQueue receiveQueue() {
        return receives;
    }

    @Override
    public void close() {
        context.invoke(UverbsCommand.DESTROY_QP);
        sends.settle();
        closed = true;
    }
}
