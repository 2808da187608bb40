package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;

/**
 * What the two ends for posting have in common: a batch is a chain of prepared work requests, and one call hands it to the
 * library's driver.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
abstract class LibraryQueue {
    final DataPath path;
    WorkRequestBlock block;
    private final Postings postings;
    private final int maxSge;
    /** The queue pair or shared receive queue in C; 0 once it is destroyed. */
    private long owner;

    /** Work requests of the open batch. */
    int staged;
    /** Elements of the open work request. */
    int sges;

    LibraryQueue(DataPath path, Postings postings, WorkRequestBlock block, long owner, int maxSge) {
        this.path = path;
        this.postings = postings;
        this.block = block;
        this.owner = owner;
        this.maxSge = maxSge;
    }

    public final int capacity() {
        return postings.capacity();
    }

    public final int maxSge() {
        return maxSge;
    }

    public final int outstanding() {
        return postings.outstanding();
    }

    /** Forgets what was staged and not posted. */
    public void begin() {
        postings.abandon();
        staged = 0;
    }

    final boolean hasRoom() {
        return postings.hasRoom(staged);
    }

    /** The number under which the open work request travels. */
    final long stage(long id) {
        sges = 0;
        return postings.stage(staged, id);
    }

    final void addElement(long address, int length, int lkey) {
        Sge.set(block.lists, block.list(staged) + (long) sges * Sge.SIZE, address, length, lkey);
        sges++;
    }

    /**
     * Posts what is staged. All of it counts as posted whatever comes of it: what the library refuses comes back when the queue
     * closes.
     *
     * @return 0 or an errno
     */
    public final int commit() {
        int count = staged;
        if (count == 0) {
            return 0;
        }
        staged = 0;
        postings.post(count);
        return owner == 0 ? Errno.EBADF : post(owner, count);
    }

    /** Posts so many work requests of the block, from the first on. */
    abstract int post(long to, int count);

    /** The queue pair was reset: the queue is empty. */
    final void reset() {
        postings.reset();
    }

    /** What it belonged to is gone. */
    final void detach() {
        owner = 0;
    }
}
