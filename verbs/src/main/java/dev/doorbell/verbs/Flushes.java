package dev.doorbell.verbs;

import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Work requests that a destroyed queue pair left behind because the device did not flush them in time. The device reports
 * nothing of them any more; a completion queue hands them out as flushed when its ring is empty. So each comes back
 * exactly once, behind what the device did report.
 *
 * <p>Rare: a queue that never had such a queue pair tests one volatile field when its ring is empty.
 */
final class Flushes {
    private final Runnable wakeUp;
    private volatile boolean any;

    // Guarded by this.
    private final Deque<Flushed> left = new ArrayDeque<>();

    /**
     * @param wakeUp told when there is something to hand out, of which the device makes no event
     */
    Flushes(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Adds what a queue pair left behind, in posting order. */
    void add(int queuePairNumber, long[] ids) {
        if (ids.length == 0) {
            return;
        }
        synchronized (this) {
            for (long id : ids) {
                left.add(new Flushed(queuePairNumber, id));
            }
            any = true;
        }
        wakeUp.run();
    }

    /** The next one to hand out, as a completion; null if there is none. */
    @Nullable
    ProviderCompletionQueue next() {
        return any ? take() : null;
    }

    private synchronized @Nullable ProviderCompletionQueue take() {
        Flushed next = left.poll();
        any = !left.isEmpty();
        return next;
    }

    /** A completion with the status of a flushed work request. */
    private record Flushed(int queuePairNumber, long id) implements ProviderCompletionQueue {
        @Override
        public int handle() {
            return 0;
        }

        @Override
        public int capacity() {
            return 0;
        }

        @Override
        public boolean next() {
            return false;
        }

        @Override
        public void end() {}

        @Override
        public int status() {
            return WorkCompletionStatus.WR_FLUSH_ERR.code();
        }

        @Override
        public int vendorError() {
            return 0;
        }

        @Override
        public int opcode() {
            return 0;
        }

        @Override
        public long byteLength() {
            return 0;
        }

        @Override
        public int flags() {
            return 0;
        }

        @Override
        public int immediate() {
            return 0;
        }

        @Override
        public int sourceQueuePair() {
            return 0;
        }

        @Override
        public int slid() {
            return 0;
        }

        @Override
        public int serviceLevel() {
            return 0;
        }

        @Override
        public int dlidPathBits() {
            return 0;
        }

        @Override
        public int pkeyIndex() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
