package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.Progress;
import dev.doorbell.memory.Faults;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a queue pair, and its end in two phases: refuse new work, move to the error state, let the device
 * flush what is outstanding; then destroy, and hand what it did not flush to the completion queues.
 */
final class QueuePairCore implements Release {
    private static final int SPINS_BEFORE_YIELD = 1 << 8;
    private static final String RESET = "MODIFY_QP";
    static final long DEFAULT_PATIENCE_NS = 1_000_000_000;

    final String name;
    final ProviderQueuePair provider;
    final SendQueue sendQueue;
    /** Null with a shared receive queue. */
    final @Nullable ReceiveEnd receives;

    final GroupMembership groups;
    final QueueTurn sendTurn;
    final WorkIds sendIds;
    final int sendDepth;

    /** One bit for each operation number that it has. */
    final int operations;

    private final QueuePairType type;
    private final Progress progress;
    private final CompletionPromise promise;
    private final Flushes sendFlushes;
    private final Flushes receiveFlushes;
    private final EventTargets targets;
    private final QueuePairTable queuePairs;
    private final long cookie;

    // Written by whoever modifies, read by whoever posts.
    volatile QueuePairState state = QueuePairState.RESET;
    volatile long patienceNs = DEFAULT_PATIENCE_NS;

    QueuePairCore(QueuePairPlan builder, ProviderQueuePair provider, CompletionPromise promise) {
        this.name = "queue pair 0x" + Integer.toHexString(provider.number()) + " of "
                + builder.domain.context().device().name();
        this.provider = provider;
        this.promise = promise;
        this.progress = builder.domain.context().progress();
        this.groups = new GroupMembership(provider, name);
        this.sendQueue = provider.sendQueue();
        this.sendDepth = builder.sendDepth;
        this.type = builder.type;
        this.operations = OperationSet.mask(type, builder.domain.context().deviceCapabilities());
        this.sendTurn = new QueueTurn("send queue of " + name, builder.singleThreaded);
        this.sendIds = new WorkIds(sendDepth);
        this.receives = builder.sharedReceives == null
                ? new OwnReceives(this, provider.receiveQueue(), builder.receiveDepth, builder.singleThreaded)
                : null;
        this.sendFlushes = builder.sendCompletions.flushes();
        this.receiveFlushes = builder.receiveCompletions.flushes();
        this.targets = builder.domain.context().targets();
        this.queuePairs = builder.domain.context().queuePairs();
        this.cookie = builder.cookie;
    }

    /** How many more work requests the send queue takes, for whoever has its turn. */
    int vacant() {
        return sendDepth - sendQueue.outstanding() - sendIds.staged();
    }

    /** What is said when it takes none. */
    QueueFullException full() {
        return new QueueFullException(SendRequest.POST, name, sendQueue.outstanding() + sendIds.staged(), sendDepth);
    }

    /** What is said when an operation is asked for that it does not have. */
    VerbsException lacking(int operation) {
        return OperationSet.lacking(name, type, operation);
    }

    @Override
    public void release(Closing mode) {
        long start = System.nanoTime();
        ReceiveEnd own = receives;
        shut(sendTurn, mode);
        if (own != null) {
            shut(own.turn, mode);
        }
        if (mode == Closing.ALONE && state != QueuePairState.RESET) {
            moveToError();
            awaitFlushes(start);
        }
        groups.leaveAll();
        try {
            provider.close();
        } catch (RuntimeException e) {
            throw Refusal.of(e, "DESTROY_QP", name).exception();
        }
        targets.remove(cookie);
        queuePairs.remove(provider.number(), cookie);
        // Only now, when the device does nothing more, is it sure what it has not reported.
        int number = provider.number();
        sendFlushes.add(number, sendIds.last(Math.min(sendQueue.outstanding(), sendDepth)));
        if (own != null) {
            receiveFlushes.add(number, own.ids.last(Math.min(own.queue.outstanding(), own.depth())));
        }
        promise.release();
    }

    /** Modifies to RESET, which empties the rings: nobody may be writing into them. */
    void reset(QueuePairAttributes attributes) {
        ReceiveEnd own = receives;
        if (own == null) {
            sendTurn.begin(RESET);
        } else {
            beginBoth(own.turn);
        }
        try {
            provider.modify(attributes);
        } finally {
            if (own != null) {
                own.turn.end();
            }
            sendTurn.end();
        }
    }

    /**
     * Never waits for one turn with the other in hand: a thread with one batch open may be waiting for the other. Waits for each in
     * turn, so that neither a busy sender nor a busy receiver keeps it out.
     */
    private void beginBoth(QueueTurn receiveTurn) {
        while (!begin(sendTurn, receiveTurn) && !begin(receiveTurn, sendTurn)) {
            Thread.yield();
        }
    }

    private static boolean begin(QueueTurn waitedFor, QueueTurn tried) {
        boolean both = false;
        waitedFor.begin(RESET);
        try {
            both = tried.tryBegin(RESET);
            return both;
        } finally {
            if (!both) {
                waitedFor.end();
            }
        }
    }

    private void shut(QueueTurn turn, Closing mode) {
        if (!turn.shut(patienceNs) && mode != Closing.LEAKED) {
            throw new InUseException(Refusal.of(Errno.EBUSY, "DESTROY_QP", name)
                    .rule(turn.holder() + " has a batch open")
                    .remedy("Submit or close the batch in that thread, then close the queue pair again"));
        }
    }

    private void moveToError() {
        try {
            provider.modify(
                    QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
            state = QueuePairState.ERROR;
        } catch (VerbsFault | KernelException e) {
            // The device may be gone; destroying it is all that is left, and says so if that fails too.
            patienceNs = 0;
        }
    }

    private void awaitFlushes(long startNs) {
        for (int idle = 0; isOutstanding(); idle++) {
            if (progress.poll()) {
                idle = 0;
            } else if (System.nanoTime() - startNs >= patienceNs) {
                return;
            } else if (idle < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** Whether the device still has something; rings that are gone, nobody takes anything from. */
    private boolean isOutstanding() {
        ReceiveEnd own = receives;
        try {
            int count = sendQueue.outstanding() + (own == null ? 0 : own.queue.outstanding());
            Faults.deliver();
            return count > 0;
        } catch (InternalError gone) {
            return false;
        }
    }
}
