package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Progress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queue pairs in error. While such a one closes, somebody waits until its work requests are flushed, and what the library has
 * of them is only known to who fetches it.
 *
 * <p>Thread rules: any thread.
 */
final class Draining implements Progress {
    private final Set<LibraryQueuePair> queuePairs = ConcurrentHashMap.newKeySet();

    void add(LibraryQueuePair queuePair) {
        queuePairs.add(queuePair);
    }

    void remove(LibraryQueuePair queuePair) {
        queuePairs.remove(queuePair);
    }

    @Override
    public boolean poll() {
        if (queuePairs.isEmpty()) {
            return false;
        }
        boolean any = false;
        for (LibraryQueuePair queuePair : queuePairs) {
            if (queuePair.drain()) {
                any = true;
            }
        }
        return any;
    }
}
