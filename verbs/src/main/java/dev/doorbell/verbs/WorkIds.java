package dev.doorbell.verbs;

/**
 * The identifiers of the work requests last posted to a queue, as many as it holds: what is outstanding when a queue pair
 * closes is known from here.
 *
 * <p>Thread rules: for whoever has the queue's turn.
 */
final class WorkIds {
    private final long[] ids;
    private final int mask;
    private int posted;
    /** The end of the open batch. */
    private int next;

    /** Room for so many more work requests at least; the ring is only looked at when this is used up. */
    int free;

    WorkIds(int capacity) {
        int size = Integer.highestOneBit(Math.max(capacity, 1) * 2 - 1);
        this.ids = new long[size];
        this.mask = size - 1;
    }

    /** Notes a work request of the open batch. */
    void stage(long id) {
        ids[next & mask] = id;
        next++;
    }

    /** Work requests of the open batch. */
    int staged() {
        return next - posted;
    }

    /** The open batch was posted. */
    void commit() {
        posted = next;
    }

    /** The open batch was given up. */
    void abandon() {
        next = posted;
    }

    /** The identifiers of the last {@code count} work requests posted, oldest first. */
    long[] last(int count) {
        long[] last = new long[count];
        for (int i = 0; i < count; i++) {
            last[i] = ids[posted - count + i & mask];
        }
        return last;
    }
}
