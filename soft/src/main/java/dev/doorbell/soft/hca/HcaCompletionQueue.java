package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.SharedRing;

/**
 * A completion queue: the device's end of a ring of completions.
 *
 * <p>Thread rules: any thread.
 */
public final class HcaCompletionQueue {
    private SharedRing ring;
    private int capacity;
    private final CompletionListener listener;

    HcaCompletionQueue(SharedRing ring, int capacity, CompletionListener listener) {
        this.ring = ring;
        this.capacity = capacity;
        this.listener = listener;
    }

    /**
     * Asks for one event at the next completion.
     *
     * @param solicitedOnly whether only a solicited or a failed one counts
     */
    public void arm(boolean solicitedOnly) {}

    int capacity() {
        return capacity;
    }

    CompletionListener listener() {
        return listener;
    }

    /**
     * Moves the queue, with the completions that wait in it, to another ring.
     *
     * @return 0, or EINVAL if more completions wait than the new capacity holds
     */
    public int resize(SharedRing next, int nextCapacity) {
        if (ring.elementSize() > next.elementSize()) {
            return Errno.EINVAL;
        }
        ring = next;
        capacity = nextCapacity;
        return 0;
    }
}
