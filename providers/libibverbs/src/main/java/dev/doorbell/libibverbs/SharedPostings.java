package dev.doorbell.libibverbs;

import dev.doorbell.memory.SpinLock;
import java.util.Arrays;

/**
 * The work requests of a shared receive queue: they come back in any order and to several completion queues, so each has a slot
 * from a list of free ones.
 *
 * <p>Thread rules: one thread at a time posts or resizes, any thread retires.
 */
final class SharedPostings extends Postings {
    private final SpinLock lock = new SpinLock();
    /** Slots of the open batch, in order; the poster's own. */
    private int[] staged;

    private int taken;
    // Guarded by the lock, as is the base's array.
    private int[] free;
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
        lock.lock();
        ids[slot] = id;
        lock.unlock();
        return (long) index() << Integer.SIZE | slot;
    }

    /** Another size; slots stay where they are, so there are never fewer of them. Nothing is staged. */
    void resize(int capacity) {
        lock.lock();
        try {
            int before = ids.length;
            int slots = Math.max(before, Integer.highestOneBit(Math.max(capacity, 1) * 2 - 1));
            ids = Arrays.copyOf(ids, slots);
            free = Arrays.copyOf(free, slots);
            for (int slot = before; slot < slots; slot++) {
                free[freeCount] = slot;
                freeCount++;
            }
            staged = Arrays.copyOf(staged, slots);
        } finally {
            lock.unlock();
        }
        setCapacity(capacity);
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
        lock.lock();
        int slot = token & ids.length - 1;
        long id = ids[slot];
        if (outstanding > 0) {
            outstanding--;
            free[freeCount] = slot;
            freeCount++;
        }
        lock.unlock();
        return id;
    }
}
