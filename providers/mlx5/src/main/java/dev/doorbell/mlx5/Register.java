package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.SpinLock;
import dev.doorbell.memory.Words;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A device register for queue pairs: where a send queue is rung. It has two halves that take turns, so that the stores of one
 * doorbell do not run into those of the one before; a plain register has one place only, and takes no whole work requests.
 *
 * <p>Registers are mapped write-combining: stores to them may wait in the processor and overtake others. So a barrier stands before (the
 * record must be seen first) and behind (the register must be seen soon, and before the next one of another thread).
 *
 * <p>Thread rules: any thread may ring; queue pairs that share the register wait for each other. One that has it to itself rings
 * without a lock, since its own batches exclude each other.
 */
final class Register {
    private static final int LEAST = ControlSegment.BLOCK;

    private final DeviceStores stores;
    private final Words page;
    private final int number;
    private final long at;
    private final int half;
    private final @Nullable SpinLock lock;
    private long turn;

    /** Queue pairs that ring here; the owner's of the pages. */
    int users;

    /**
     * @param number what CREATE_QP calls it, or its page
     * @param at where it lies in its page
     * @param half bytes of a half; 0 for a plain register
     * @param isShared whether several queue pairs may ring here
     * @throws VerbsFault EIO for a kernel's register that does not lie in its page, or cannot be filled with blocks
     */
    Register(DeviceStores stores, MemorySegment page, int number, long at, int half, boolean isShared) {
        this.stores = stores;
        if (half < 0
                || half % ControlSegment.BLOCK != 0
                || at < 0
                || at > page.byteSize() - Math.max(2L * half, LEAST)) {
            throw new VerbsFault(Errno.EIO, "a register of 2 * " + half + " bytes at " + at + " of " + page.byteSize());
        }
        this.page = new Words(page);
        this.number = number;
        this.at = at;
        this.half = half;
        this.lock = isShared ? new SpinLock() : null;
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

    /** Rings with the first eight bytes of the last work request; the doorbell record was written. */
    void ring(long head) {
        begin();
        stores.register(page, at + turn, head);
        end();
    }

    /** As {@link #ring}, with the only work request itself, which lies at {@code from} in a queue of {@code size} bytes. */
    void flame(Words queue, long from, long size, int bytes) {
        begin();
        stores.blueFlame(page, at + turn, queue, from, size, bytes);
        end();
    }

    private void begin() {
        if (lock == null) {
            Barriers.beforeRegister();
        } else {
            // The barrier too.
            lock.lock();
        }
    }

    private void end() {
        Barriers.afterRegister();
        turn ^= half;
        if (lock != null) {
            lock.unlock();
        }
    }
}
