package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;

/** How much of a completion queue is promised to queue pairs. */
final class CompletionBudget {
    private final String name;
    private final int capacity;

    // Guarded by this.
    private int committed;

    CompletionBudget(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    synchronized int committed() {
        return committed;
    }

    /** Promises room for a queue's depth. */
    synchronized void commit(int depth, boolean mayOvercommit) {
        int sum = committed + depth;
        if (sum > capacity && !mayOvercommit) {
            throw Refusal.of(Errno.ENOSPC, "CREATE_QP", name)
                    .rule("the queues that complete into it could overflow it: " + committed
                            + " completions are committed, the new queue pair adds " + depth)
                    .limit(sum + " completions", capacity)
                    .remedy("Create the completion queue for at least " + sum
                            + " entries, make the queue pair shallower, or allowCompletionQueueOvercommit()")
                    .exception();
        }
        committed = sum;
    }

    /** Takes a promise back. */
    synchronized void release(int depth) {
        committed -= depth;
    }
}
