package dev.doorbell.verbs;

import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.spi.ReceiveQueue;
import java.lang.ref.Reference;

/**
 * Receive work requests, handed to the device together (ibv_post_recv(3)). Used as {@link SendBatch}: closing without
 * {@link #submit()} posts nothing. Each completes, so each takes a place in the completion queue.
 *
 * <p>Thread rules: belongs to the thread that opened it.
 */
public final class ReceiveBatch implements AutoCloseable {
    private static final String POST = "post receive";

    private final QueuePair queuePair;
    private final QueuePairCore core;
    private final ReceiveQueue queue;
    private final QueueTurn turn;
    private final int maxSge;

    // The batch and its open work request; guarded by the turn.
    /** Room for so many more work requests at least; the ring is only looked at when this is used up. */
    private int free;

    private boolean broken;
    private boolean open;
    private int elements;

    ReceiveBatch(QueuePair queuePair, QueuePairCore core) {
        this.queuePair = queuePair;
        this.core = core;
        this.queue = core.receiveQueue;
        this.turn = core.receiveTurn;
        this.maxSge = queue.maxSge();
    }

    ReceiveBatch begin() {
        turn.begin(POST);
        if (core.state == QueuePairState.RESET) {
            turn.end();
            throw PostRefusals.state(POST, core, "any state but RESET: call initialize() or connect(peer)");
        }
        queue.begin();
        open = false;
        broken = false;
        return this;
    }

    /** How many more work requests it can take now. */
    public int room() {
        turn.check(POST);
        return core.receiveDepth - queue.outstanding() - core.receiveIds.staged();
    }

    /** Work requests in it. */
    public int size() {
        turn.check(POST);
        return core.receiveIds.staged();
    }

    /**
     * Opens a receive work request.
     *
     * @param id comes back in the completion
     * @throws QueueFullException if the queue is full; the batch stays as it is
     */
    public ReceiveBatch receive(long id) {
        turn.check(POST);
        seal();
        if (free <= 0) {
            free = room();
        }
        if (free <= 0 || !queue.request(id)) {
            throw new QueueFullException(
                    POST, core.name, queue.outstanding() + core.receiveIds.staged(), core.receiveDepth);
        }
        free--;
        core.receiveIds.stage(id);
        open = true;
        elements = 0;
        return this;
    }

    /** Adds memory to receive into. Throws as {@link SendBatch#sge(MemoryRegion, long, long)}. */
    public ReceiveBatch sge(MemorySlice slice) {
        return sge(slice.region(), slice.offset(), slice.length());
    }

    /** Adds memory to receive into. Throws as {@link SendBatch#sge(MemoryRegion, long, long)}. */
    public ReceiveBatch sge(MemoryRegion region, long offset, long length) {
        describe();
        if (region.protectionDomain() != queuePair.protectionDomain()) {
            throw refuse(PostRefusals.foreignDomain(POST, core.name, region, queuePair.protectionDomain()));
        }
        if (!region.isOpen()) {
            throw refuse(region.closed(POST));
        }
        if ((offset | length) < 0 || length > region.length() - offset) {
            broken = true;
            region.checkInside(offset, length);
        }
        return sge(region.address() + offset, length, region.lkey());
    }

    /** Adds memory by address and lkey; the device checks them when a message comes. */
    public ReceiveBatch sge(long address, long length, int lkey) {
        describe();
        if (elements == maxSge) {
            throw refuse(PostRefusals.tooManyElements(POST, core.name, maxSge));
        }
        if (length >>> Integer.SIZE != 0) {
            throw refuse(PostRefusals.elementTooLong(POST, core.name, length));
        }
        queue.sge(address, (int) length, lkey);
        elements++;
        return this;
    }

    /**
     * Hands what is in the batch to the device. The batch is empty afterwards and can be filled again.
     *
     * @return how many work requests were posted
     */
    public int submit() {
        turn.check(POST);
        try {
            seal();
            int count = core.receiveIds.staged();
            if (count > 0) {
                core.receiveIds.commit();
                queue.commit();
                queue.begin();
            }
            return count;
        } finally {
            Reference.reachabilityFence(queuePair);
        }
    }

    /** Ends the batch; what was not submitted was never posted. Idempotent. */
    @Override
    public void close() {
        if (turn.isMine()) {
            free += core.receiveIds.staged();
            core.receiveIds.abandon();
            open = false;
            turn.end();
        }
    }

    private void describe() {
        turn.check(POST);
        if (broken) {
            throw PostRefusals.broken(POST, core.name);
        }
        if (!open) {
            throw PostRefusals.nothingOpen(POST, core.name);
        }
    }

    private void seal() {
        if (broken) {
            throw PostRefusals.broken(POST, core.name);
        }
        if (open) {
            queue.seal();
            open = false;
        }
    }

    private RuntimeException refuse(VerbsException refusal) {
        broken = true;
        return refusal;
    }
}
