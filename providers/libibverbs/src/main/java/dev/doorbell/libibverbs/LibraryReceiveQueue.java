package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ReceiveQueue;

/**
 * A receive queue, of a queue pair or shared.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class LibraryReceiveQueue implements ReceiveQueue {
    private final DataPath path;
    private final Postings postings;
    private final WorkRequestBlock block;
    private final int maxSge;
    private final boolean isShared;
    /** The queue pair or shared receive queue in C; 0 once it is destroyed. */
    private long owner;

    private int staged;
    private int sges;
    private long number;

    LibraryReceiveQueue(DataPath path, Postings postings, long owner, int maxSge, boolean isShared) {
        this.path = path;
        this.postings = postings;
        this.block = WorkRequestBlock.forReceiving(postings.capacity(), maxSge);
        this.owner = owner;
        this.maxSge = maxSge;
        this.isShared = isShared;
    }

    @Override
    public int capacity() {
        return postings.capacity();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public int outstanding() {
        return postings.outstanding();
    }

    @Override
    public void begin() {
        postings.abandon();
        staged = 0;
    }

    @Override
    public boolean request(long id) {
        if (!postings.hasRoom(staged)) {
            return false;
        }
        number = postings.stage(staged, id);
        sges = 0;
        return true;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge : "elements are limited to " + maxSge;
        Sge.set(block.lists, block.list(staged) + (long) sges * Sge.SIZE, address, length, lkey);
        sges++;
    }

    @Override
    public void seal() {
        ReceiveWr.set(block.requests, block.request(staged), number, sges);
        staged++;
    }

    @Override
    public int commit() {
        int count = staged;
        if (count == 0) {
            return 0;
        }
        staged = 0;
        postings.post(count);
        if (owner == 0) {
            return Errno.EBADF;
        }
        block.cut(count - 1);
        long first = block.address(0);
        int errno = isShared
                ? path.postSharedReceive(owner, first, block.bad.address())
                : path.postReceive(owner, first, block.bad.address());
        block.link(count - 1);
        return errno;
    }

    /** The queue pair was reset: the queue is empty. */
    void reset() {
        postings.reset();
    }

    /** What it belonged to is gone. */
    void detach() {
        owner = 0;
    }
}
