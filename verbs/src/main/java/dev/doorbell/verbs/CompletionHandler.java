package dev.doorbell.verbs;

/** Is given completions one by one. Called with the queue's turn taken: it may post, but not poll the same queue. */
@FunctionalInterface
public interface CompletionHandler {
    /** A completion; the view is valid during the call. */
    void onCompletion(WorkCompletion completion);
}
