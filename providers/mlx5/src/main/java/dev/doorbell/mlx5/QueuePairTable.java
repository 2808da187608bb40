package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which queues a completion belongs to: by the user index that it carries, or by the queue pair's number on devices whose
 * completions carry none.
 *
 * <p>Thread rules: any thread.
 */
final class QueuePairTable {
    /** The user index of a queue pair that has none. */
    static final int NO_INDEX = 0xff_ffff;

    private static final int HALF_BITS = 12;
    private static final int HALF = 1 << HALF_BITS;
    private static final int MASK = 0xff_ffff;

    private final boolean byUserIndex;
    private final BitSet indices = new BitSet();
    private final ReentrantLock numbers = new ReentrantLock();
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable WorkQueues>> pages =
            new AtomicReferenceArray<>(HALF);

    QueuePairTable(int cqeVersion) {
        this.byUserIndex = cqeVersion > 0;
    }

    boolean isByUserIndex() {
        return byUserIndex;
    }

    /**
     * Runs a command that makes or destroys a queue pair, with what the driver does of it here. The kernel may give the number of a queue
     * pair anew as soon as that is destroyed; where completions are found by number, the driver must first have forgotten the old one.
     */
    <T> T alone(Supplier<T> action) {
        if (byUserIndex) {
            return action.get();
        }
        numbers.lock();
        try {
            return action.get();
        } finally {
            numbers.unlock();
        }
    }

    /** An index for a queue pair that is about to be made: the lowest free one. */
    synchronized int reserve() {
        if (!byUserIndex) {
            return NO_INDEX;
        }
        int index = indices.nextClearBit(0);
        if (index >= NO_INDEX) {
            throw new VerbsFault(Errno.ENOMEM, "CREATE_QP");
        }
        indices.set(index);
        return index;
    }

    synchronized void put(int key, WorkQueues queues) {
        int page = key >>> HALF_BITS & HALF - 1;
        AtomicReferenceArray<@Nullable WorkQueues> entries = pages.get(page);
        if (entries == null) {
            entries = new AtomicReferenceArray<>(HALF);
            pages.set(page, entries);
        }
        entries.set(key & HALF - 1, queues);
    }

    /** The queue pair is gone, or was never made. */
    synchronized void remove(int key) {
        AtomicReferenceArray<@Nullable WorkQueues> entries = pages.get(key >>> HALF_BITS & HALF - 1);
        if (entries != null) {
            entries.set(key & HALF - 1, null);
        }
        if (byUserIndex) {
            indices.clear(key);
        }
    }

    /** The queues with that index or number; null if there are none. */
    @Nullable
    WorkQueues find(int key) {
        AtomicReferenceArray<@Nullable WorkQueues> entries = pages.get((key & MASK) >>> HALF_BITS);
        return entries == null ? null : entries.get(key & HALF - 1);
    }
}
