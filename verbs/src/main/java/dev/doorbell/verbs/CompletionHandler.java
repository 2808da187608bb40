package dev.doorbell.verbs;

/**
 * Is given completions one by one. Called with the queue's turn taken: it may post, but not poll the same queue.
 *
 * <p>Stands for the loop around ibv_poll_cq(3). What it throws ends the round and comes out of the call that polled.
 *
 * <p>Thread rules: called in the thread that polls, by one thread at a time for each completion queue.
 */
@FunctionalInterface
public interface CompletionHandler {
    /** A completion; the view is valid during the call. */
    void onCompletion(WorkCompletion completion);
}
