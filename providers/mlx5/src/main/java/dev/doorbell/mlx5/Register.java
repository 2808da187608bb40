package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.memory.SpinLock;
import java.lang.foreign.MemorySegment;

/**
 * A device register for queue pairs: where a send queue is rung. It has two halves that take turns, so that the stores of one
 * doorbell do not run into those of the one before; a plain register has one place only, and takes no whole work requests.
 *
 * <p>Thread rules: any thread may ring; queue pairs that share the register wait for each other.
 */
final class Register {
    private final DeviceStores stores;
    private final MemorySegment page;
    private final int number;
    private final long at;
    private final int half;
    private final SpinLock lock = new SpinLock();
    private long turn;

    /** Queue pairs that ring here; the owner's of the pages. */
    int users;

    /**
     * @param number what CREATE_QP calls it, or its page
     * @param at where it lies in its page
     * @param half bytes of a half; 0 for a plain register
     */
    Register(DeviceStores stores, MemorySegment page, int number, long at, int half) {
        this.stores = stores;
        this.page = page;
        this.number = number;
        this.at = at;
        this.half = half;
    }

    /** What CREATE_QP calls it, or its page. */
    int number() {
        return number;
    }

    /** Whether the next doorbell goes there. */
    boolean isNextAt(long offset) {
        return at + turn == offset;
    }

    /** Whether a work request of so many 16-byte units can be stored whole. */
    boolean takes(int units) {
        return units > 1 && units * ControlSegment.UNIT <= half;
    }

    /**
     * Writes the doorbell record and rings with the first eight bytes of the last work request.
     */
    void ring(MemorySegment records, long record, int counter, long head) {
        lock.lock();
        try {
            stores.record(records, record, counter);
            stores.register(page, at + turn, head);
            turn ^= half;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #ring}, with the only work request itself. */
    void flame(
            MemorySegment records,
            long record,
            int counter,
            MemorySegment queue,
            SendQueueShape shape,
            long from,
            int bytes) {
        lock.lock();
        try {
            stores.record(records, record, counter);
            stores.blueFlame(page, at + turn, queue, from, shape.offset(), shape.end(), bytes);
            turn ^= half;
        } finally {
            lock.unlock();
        }
    }
}
