package dev.doorbell.verbs;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a shared receive queue may complete into each of the completion queues that its queue pairs use: everything that
 * it holds, and one more for each queue pair, which may have taken one already whose place was filled again.
 */
final class SharedReceiveBudget {
    private static final String WHO = "the shared receive queue";

    // Guarded by this.
    private final Map<CompletionBudget, Integer> users = new LinkedHashMap<>();
    private int depth;

    SharedReceiveBudget(int depth) {
        this.depth = depth;
    }

    /** A queue pair will take from the queue and complete there. Throws, with nothing promised, if it could overflow. */
    synchronized void join(CompletionBudget completions, boolean mayOvercommit) {
        int present = users.getOrDefault(completions, 0);
        completions.commit("CREATE_QP", WHO, present == 0 ? depth + 1 : 1, mayOvercommit);
        users.put(completions, present + 1);
    }

    /** That queue pair is gone. */
    synchronized void leave(CompletionBudget completions) {
        int present = users.getOrDefault(completions, 0);
        if (present > 1) {
            users.put(completions, present - 1);
            completions.release(1);
        } else if (present == 1) {
            users.remove(completions);
            completions.release(depth + 1);
        }
    }

    /**
     * Changes the queue's depth: promises what it needs more before, and takes back what it needs less after the device
     * has changed it.
     */
    synchronized void resize(int next, Runnable device) {
        int more = Math.max(next - depth, 0);
        int promised = 0;
        boolean done = false;
        try {
            for (CompletionBudget completions : users.keySet()) {
                completions.commit("MODIFY_SRQ", WHO, more, false);
                promised++;
            }
            device.run();
            done = true;
        } finally {
            if (!done) {
                users.keySet().stream().limit(promised).forEach(completions -> completions.release(more));
            }
        }
        int less = Math.max(depth - next, 0);
        users.keySet().forEach(completions -> completions.release(less));
        depth = next;
    }
}
