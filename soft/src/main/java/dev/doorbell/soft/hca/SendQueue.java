package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionStatus;

/**
 * The device's end of a send queue. Belongs to the requester and its lock.
 *
 * <p>A work request is taken up once, in order, and completes later, in the same order.
 */
abstract sealed class SendQueue extends Padded permits RingSendQueue, Mlx5SendQueue {
    /** Whether a work request waits to be taken up. */
    abstract boolean hasNext();

    /**
     * How many work requests wait at most. Whoever empties the queue takes no more than that: what is posted meanwhile comes
     * with a doorbell of its own.
     */
    abstract int capacity();

    /** Copies the work request to take up next, and moves on. Its identifier is valid whatever the outcome. */
    abstract WorkCompletionStatus take(WorkRequest into);

    /** Gives the oldest work request's element back to the program. */
    abstract void complete();

    /** Skips everything that is in the queue. */
    abstract void drop();
}
