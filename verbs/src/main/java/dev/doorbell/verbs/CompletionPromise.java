package dev.doorbell.verbs;

import org.jspecify.annotations.Nullable;

/** What the completion queues of one queue pair have promised it. */
final class CompletionPromise {
    private static final String CREATE = "CREATE_QP";
    private static final String WHO = "the new queue pair";

    private final CompletionBudget sends;
    private final CompletionBudget receives;
    private final @Nullable SharedReceiveBudget shared;
    private final int sendDepth;
    private final int receiveDepth;

    private CompletionPromise(QueuePairPlan asked) {
        SharedReceiveQueue queue = asked.sharedReceives;
        this.sends = asked.sendCompletions.budget();
        this.receives = asked.receiveCompletions.budget();
        this.shared = queue == null ? null : queue.budget();
        this.sendDepth = asked.sendDepth;
        this.receiveDepth = asked.receiveDepth;
    }

    /** Throws, with nothing promised, if a completion queue could overflow. */
    static CompletionPromise of(QueuePairPlan asked) {
        CompletionPromise promise = new CompletionPromise(asked);
        promise.commit(asked.mayOvercommit);
        return promise;
    }

    private void commit(boolean mayOvercommit) {
        if (sends == receives && shared == null) {
            sends.commit(CREATE, WHO, Math.addExact(sendDepth, receiveDepth), mayOvercommit);
            return;
        }
        sends.commit(CREATE, WHO, sendDepth, mayOvercommit);
        boolean both = false;
        try {
            if (shared == null) {
                receives.commit(CREATE, WHO, receiveDepth, mayOvercommit);
            } else {
                shared.join(receives, mayOvercommit);
            }
            both = true;
        } finally {
            if (!both) {
                sends.release(sendDepth);
            }
        }
    }

    /** Gives it back. */
    void release() {
        sends.release(sendDepth);
        if (shared == null) {
            receives.release(receiveDepth);
        } else {
            shared.leave(receives);
        }
    }
}
