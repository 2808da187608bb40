package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;

/**
 * A queue has no room for another work request (ENOMEM, as ibv_post_send(3) has it). What the batch held before stays in
 * it and can be submitted. Room comes back as the device retires work requests: poll the completion queue. Ask
 * {@link QueuePair#sendSlots()} or {@link SendBatch#room()} first where a full queue is normal.
 *
 * <p>Thread rules: immutable.
 */
public final class QueueFullException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int outstanding;
    private final int capacity;

    QueueFullException(String operation, String object, int outstanding, int capacity) {
        super(Refusal.of(Errno.ENOMEM, operation, object)
                .rule("the queue is full")
                .limit(outstanding + 1 + " outstanding work requests", capacity)
                .remedy(
                        "Poll the completion queue; an unsignaled work request is retired with the next signaled one, so"
                                + " signal at least one in " + capacity));
        this.outstanding = outstanding;
        this.capacity = capacity;
    }

    /** Work requests in the queue, those of the open batch included. */
    public int outstanding() {
        return outstanding;
    }

    /** Work requests that it holds. */
    public int capacity() {
        return capacity;
    }
}
