package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import java.util.function.IntSupplier;

/** How much of a completion queue is promised to those who complete into it. */
final class CompletionBudget {
    private final String name;

    // Guarded by this.
    private int capacity;
    private int committed;

    CompletionBudget(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    synchronized int capacity() {
        return capacity;
    }

    synchronized int committed() {
        return committed;
    }

    /**
     * Promises room for a queue's depth.
     *
     * @param who wants it, for the message
     */
    synchronized void commit(String operation, String who, int depth, boolean mayOvercommit) {
        int sum = Math.addExact(committed, depth);
        if (sum > capacity && !mayOvercommit) {
            throw Refusal.of(Errno.ENOSPC, operation, name)
                    .rule("the queues that complete into it could overflow it: " + committed
                            + " completions are committed, " + who + " adds " + depth)
                    .limit(sum + " completions", capacity)
                    .remedy("Create the completion queue for at least " + sum
                            + " entries or resize it, make the queues shallower, or allowCompletionQueueOvercommit()")
                    .exception();
        }
        committed = sum;
    }

    /** Takes a promise back. */
    synchronized void release(int depth) {
        committed -= depth;
    }

    /**
     * Changes the capacity. A queue that is overcommitted, because somebody was allowed to, may get any.
     *
     * @param asked the capacity that is wanted
     * @param device changes the queue, and answers the capacity that it has then
     */
    synchronized void resize(int asked, IntSupplier device) {
        if (asked > 0 && asked < committed && committed <= capacity) {
            throw Refusal.of(Errno.ENOSPC, "RESIZE_CQ", name)
                    .rule("the queues that complete into it could overflow it: " + committed
                            + " completions are committed")
                    .limit(asked + " entries", committed + " and more")
                    .remedy("Close queue pairs that complete into it, or ask for more")
                    .exception();
        }
        capacity = device.getAsInt();
    }
}
