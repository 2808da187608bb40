package dev.doorbell.verbs;

import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.ref.Reference;

/**
 * Receive work requests, handed to the device together (ibv_post_recv(3), ibv_post_srq_recv(3)). Used as
 * {@link SendBatch}: closing without {@link #submit()} posts nothing. Each completes, so each takes a place in the
 * completion queue.
 *
 * <p>Thread rules: belongs to the thread that opened it.
 */
public final class ReceiveBatch implements AutoCloseable {
    private static final String POST = "post receive";

    /** Kept reachable while its ring is written to. */
    private final Object owner;

    private final ReceiveEnd end;
    private final ProtectionDomain domain;
    private final ReceiveQueue queue;
    private final QueueTurn turn;
    private final int maxSge;

    // The batch and its open work request; guarded by the turn.
    /** Room for so many more work requests at least; the ring is only looked at when this is used up. */
    private int free;

    private boolean broken;
    private boolean open;
    private int elements;

    ReceiveBatch(Object owner, ReceiveEnd end, ProtectionDomain domain) {
        this.owner = owner;
        this.end = end;
        this.domain = domain;
        this.queue = end.queue;
        this.turn = end.turn;
        this.maxSge = queue.maxSge();
    }

    ReceiveBatch begin() {
        turn.begin(POST);
        boolean admitted = false;
        try {
            end.admit(POST);
            admitted = true;
        } finally {
            if (!admitted) {
                turn.end();
            }
        }
        queue.begin();
        open = false;
        broken = false;
        return this;
    }

    /** How many more work requests it can take now. */
    public int room() {
        turn.check(POST);
        return end.depth() - end.outstanding(POST) - end.ids.staged();
    }

    /** Work requests in it. */
    public int size() {
        turn.check(POST);
        return end.ids.staged();
    }

    /**
     * Opens a receive work request.
     *
     * @param id comes back in the completion
     * @throws QueueFullException if the queue is full; the batch stays as it is
     */
    public ReceiveBatch receive(long id) {
        turn.check(POST);
        try {
            seal();
            if (free <= 0) {
                free = room();
            }
            if (free <= 0 || !queue.request(id)) {
                throw new QueueFullException(POST, end.name, queue.outstanding() + end.ids.staged(), end.depth());
            }
        } catch (InternalError e) {
            throw refuse(PostRefusals.lostRing(POST, end.name, e));
        } catch (VerbsFault e) {
            throw refuse(PostRefusals.lostRing(POST, end.name, e));
        }
        free--;
        end.ids.stage(id);
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
        RuntimeException refusal = ElementRules.refusal(POST, end.name, domain, region, offset, length);
        if (refusal != null) {
            throw refuse(refusal);
        }
        return sge(region.address() + offset, length, region.lkey());
    }

    /** Adds memory by address and lkey; the device checks them when a message comes. */
    public ReceiveBatch sge(long address, long length, int lkey) {
        describe();
        if (elements == maxSge) {
            throw refuse(PostRefusals.tooManyElements(POST, end.name, maxSge));
        }
        if (length >>> Integer.SIZE != 0) {
            throw refuse(PostRefusals.elementTooLong(POST, end.name, length));
        }
        try {
            queue.sge(address, (int) length, lkey);
        } catch (InternalError e) {
            throw refuse(PostRefusals.lostRing(POST, end.name, e));
        }
        elements++;
        return this;
    }

    /**
     * Hands what is in the batch to the device. The batch is empty afterwards and can be filled again.
     *
     * @return how many work requests were posted
     * @throws VerbsException with the errno of a driver that could not take them: closing the queue returns them
     */
    public int submit() {
        turn.check(POST);
        try {
            seal();
            int count = end.ids.staged();
            if (count > 0) {
                end.ids.commit();
                int errno = queue.commit();
                queue.begin();
                end.posted();
                if (errno != 0) {
                    throw PostRefusals.receives(POST, end.name, errno);
                }
            }
            return count;
        } catch (InternalError e) {
            throw PostRefusals.lostRing(POST, end.name, e);
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    /** Receives that are posted and not taken by a message yet. */
    int credit() {
        return end.credit();
    }

    /** The queue's depth has changed. */
    void forgetRoom() {
        free = 0;
    }

    /** Ends the batch; what was not submitted was never posted. Idempotent. */
    @Override
    public void close() {
        if (turn.isMine()) {
            free += end.ids.staged();
            end.ids.abandon();
            open = false;
            turn.end();
        }
    }

    private void describe() {
        turn.check(POST);
        if (broken) {
            throw PostRefusals.broken(POST, end.name);
        }
        if (!open) {
            throw PostRefusals.nothingOpen(POST, end.name);
        }
    }

    private void seal() {
        if (broken) {
            throw PostRefusals.broken(POST, end.name);
        }
        if (open) {
            queue.seal();
            open = false;
        }
    }

    private RuntimeException refuse(RuntimeException refusal) {
        broken = true;
        return refusal;
    }
}
