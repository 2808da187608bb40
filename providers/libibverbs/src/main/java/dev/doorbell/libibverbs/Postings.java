package dev.doorbell.libibverbs;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The work requests of one queue, from when they are posted until they come back. The library's rings cannot be read, so
 * each work request travels under a number of its own: whose queue it is in the high half, and its token in the low one. What
 * comes back tells which slots are free again, also after an error, when a completion says nothing else of itself.
 *
 * <p>Thread rules: one thread at a time posts, and any thread retires; a queue whose work requests can come back to several
 * completion queues overrides with a lock.
 */
class Postings {
    /** For completions of queues that are gone. */
    static final Postings NONE = new Postings(1);

    long[] ids;
    private volatile int capacity;
    private final int mask;
    private final AtomicInteger posted = new AtomicInteger();
    private final AtomicInteger retired = new AtomicInteger();
    /** Set once, when it is entered in the table. */
    private long key;

    Postings(int capacity) {
        this.capacity = capacity;
        int size = Integer.highestOneBit(Math.max(capacity, 1) * 2 - 1);
        this.ids = new long[size];
        this.mask = size - 1;
    }

    /** It got its place in the table. */
    final void entered(int index) {
        key = (long) index << Integer.SIZE;
    }

    /** Its place in the table. */
    final int index() {
        return (int) (key >>> Integer.SIZE);
    }

    final int capacity() {
        return capacity;
    }

    /** Work requests that have not come back, and are not known to be done by one behind them that has. */
    int outstanding() {
        return posted.getPlain() - retired.getAcquire();
    }

    /** For a queue that was resized. */
    final void setCapacity(int next) {
        capacity = next;
    }

    /** Whether there is room for another, with so many staged already. */
    final boolean hasRoom(int staged) {
        return outstanding() + staged < capacity;
    }

    /**
     * Takes a slot for the work request that is the next to be posted after those that are staged.
     *
     * @return the number under which it travels
     */
    long stage(int staged, long id) {
        int token = posted.getPlain() + staged;
        ids[token & mask] = id;
        return key | Integer.toUnsignedLong(token);
    }

    /** Gives back what was staged and not posted. */
    void abandon() {
        // The next batch takes the same numbers.
    }

    /** So many of the staged ones are about to be posted. */
    void post(int count) {
        posted.setRelease(posted.getPlain() + count);
    }

    /**
     * A work request came back: it and all before it are done.
     *
     * @param token the low half of its number
     * @return its program's number
     */
    long retire(int token) {
        long id = ids[token & mask];
        retired.setRelease(token + 1);
        return id;
    }

    /** The queue was emptied: nothing is outstanding. */
    void reset() {
        retired.setRelease(posted.getPlain());
    }
}
