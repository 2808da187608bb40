package dev.doorbell.verbs;

import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work requests that a closed queue pair left behind because the device did not flush them in time. A completion queue
 * hands them out as flushed when its ring is empty; those that the device reports after all are struck off first. So
 * each comes back exactly once.
 *
 * <p>Rare: a queue that never had such a queue pair tests one volatile field per completion.
 */
final class Flushes {
    private static final class Left {
        private final int queuePairNumber;
        private final long id;
        private boolean settled;

        private Left(int queuePairNumber, long id) {
            this.queuePairNumber = queuePairNumber;
            this.id = id;
        }
    }

    private volatile boolean any;

    // Guarded by this.
    private final List<Left> left = new ArrayList<>();

    /** Adds the outstanding work requests of a queue pair that is about to be destroyed. */
    synchronized void expect(int queuePairNumber, long[] ids) {
        for (long id : ids) {
            left.add(new Left(queuePairNumber, id));
        }
        any = !left.isEmpty();
    }

    /** Says that the device reports nothing of a queue pair any more. */
    synchronized void settle(int queuePairNumber) {
        for (Left one : left) {
            one.settled |= one.queuePairNumber == queuePairNumber;
        }
    }

    boolean any() {
        return any;
    }

    /** Strikes off a work request that the device has reported. */
    synchronized void reported(int queuePairNumber, long id) {
        for (Left one : left) {
            if (one.queuePairNumber == queuePairNumber && one.id == id) {
                left.remove(one);
                break;
            }
        }
        any = !left.isEmpty();
    }

    /** The next one to hand out, as a completion; null if there is none. */
    synchronized @Nullable ProviderCompletionQueue next() {
        for (Left one : left) {
            if (one.settled) {
                left.remove(one);
                any = !left.isEmpty();
                return new Flushed(one.queuePairNumber, one.id);
            }
        }
        return null;
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
        public int byteLength() {
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
