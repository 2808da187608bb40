package dev.doorbell.libibverbs;

import dev.doorbell.memory.SpinLock;

/**
 * The work requests of a shared receive queue: they come back in any order and to several completion queues, so each has a slot
 * from a list of free ones.
 *
 * <p>Thread rules: one thread at a time posts, any thread retires.
 */
final class SharedPostings extends Postings {
    private final SpinLock lock = new SpinLock();
    private final int[] free;
    /** Slots of the open batch, in order; the poster's own. */
    private final int[] staged;

    private int taken;
    // Guarded by the lock.
    private int freeCount;
    private int outstanding;

    SharedPostings(int capacity) {
        super(capacity);
        this.free = new int[ids.length];
        this.staged = new int[ids.length];
        this.freeCount = ids.length;
        for (int i = 0; i < free.length; i++) {
            free[i] = i;
        }
    }

    @Override
    int outstanding() {
        lock.lock();
        int now = outstanding;
        lock.unlock();
        return now;
    }

    @Override
    long stage(int index, long id) {
        if (index == taken) {
            lock.lock();
            freeCount--;
            staged[taken] = free[freeCount];
            lock.unlock();
            taken++;
        }
        int slot = staged[index];
        ids[slot] = id;
        return (long) index() << Integer.SIZE | slot;
    }

    @Override
    void abandon() {
        giveBack(0);
    }

    @Override
    void post(int count) {
        lock.lock();
        outstanding += count;
        lock.unlock();
        // One may have been opened and not closed.
        giveBack(count);
    }

    private void giveBack(int from) {
        lock.lock();
        for (int i = from; i < taken; i++) {
            free[freeCount] = staged[i];
            freeCount++;
        }
        lock.unlock();
        taken = 0;
    }

    @Override
    long retire(int token) {
        int slot = token & ids.length - 1;
        long id = ids[slot];
        lock.lock();
        if (outstanding > 0) {
            outstanding--;
            free[freeCount] = slot;
            freeCount++;
        }
        lock.unlock();
        return id;
    }
}
