package dev.doorbell.verbs;

import dev.doorbell.verbs.spi.ReceiveQueue;

/**
 * Where a {@link ReceiveBatch} posts: a queue pair's own receive queue, or a shared one.
 *
 * <p>Thread rules: for whoever has the turn.
 */
abstract sealed class ReceiveEnd permits OwnReceives, SharedReceives {
    final String name;
    final ReceiveQueue queue;
    final QueueTurn turn;
    final WorkIds ids;

    // Guarded by the turn.
    private int depth;

    ReceiveEnd(String name, ReceiveQueue queue, QueueTurn turn, WorkIds ids, int depth) {
        this.name = name;
        this.queue = queue;
        this.turn = turn;
        this.ids = ids;
        this.depth = depth;
    }

    /** Refuses to post where the state forbids it. */
    abstract void admit(String operation);

    /** Work requests were handed to the device. */
    abstract void posted();

    /** Work requests that it holds: as many as were asked for, though the ring may hold more. */
    final int depth() {
        return depth;
    }

    final void depth(int value) {
        depth = value;
    }

    /** Receives that are posted and not taken by a message yet; waits for its turn unless the caller has it. */
    final int credit() {
        if (turn.isMine()) {
            return outstanding("count receive credit");
        }
        turn.begin("count receive credit");
        try {
            return outstanding("count receive credit");
        } finally {
            turn.end();
        }
    }

    /** As the ring says. */
    final int outstanding(String operation) {
        try {
            return queue.outstanding();
        } catch (InternalError e) {
            throw PostRefusals.lostRing(operation, name, e);
        }
    }
}
