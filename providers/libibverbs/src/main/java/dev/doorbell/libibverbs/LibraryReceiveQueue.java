package dev.doorbell.libibverbs;

import dev.doorbell.verbs.spi.ReceiveQueue;

/**
 * A receive queue, of a queue pair or shared.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class LibraryReceiveQueue extends LibraryQueue implements ReceiveQueue {
    private final boolean isShared;
    private long number;

    LibraryReceiveQueue(DataPath path, Postings postings, long owner, int maxSge, boolean isShared) {
        super(path, postings, WorkRequestBlock.forReceiving(postings.capacity(), maxSge), owner, maxSge);
        this.isShared = isShared;
    }

    /** The queue was resized; nothing is staged. */
    void resized() {
        block = WorkRequestBlock.forReceiving(capacity(), maxSge());
    }

    @Override
    public boolean request(long id) {
        if (!hasRoom()) {
            return false;
        }
        number = stage(id);
        return true;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge() : "elements are limited to " + maxSge();
        addElement(address, length, lkey);
    }

    @Override
    public void seal() {
        ReceiveWr.set(block.requests, block.request(staged), number, sges);
        staged++;
    }

    @Override
    int post(long to, int count) {
        block.cut(count - 1);
        long first = block.address(0);
        int errno = isShared
                ? path.postSharedReceive(to, first, block.bad.address())
                : path.postReceive(to, first, block.bad.address());
        block.link(count - 1);
        return errno;
    }
}
