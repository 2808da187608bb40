package dev.doorbell.mlx5;

import dev.doorbell.spec.WorkRequestOpcode;

/** Brings queues into the state that a vector begins with. */
final class QueueFiller {
    private QueueFiller() {}

    /** Retires all that was posted. */
    static void drain(Mlx5SendQueue queue) {
        if (queue.outstanding() > 0) {
            queue.retireAll();
        }
    }

    /** Posts short work requests, each retired, until a counter is reached; whether it had to. */
    static boolean sendUntil(Mlx5SendQueue queue, int counter, int mask) {
        boolean posted = false;
        while ((queue.posted & mask) != (counter & mask)) {
            queue.begin();
            queue.request(0, WorkRequestOpcode.SEND.code());
            queue.seal();
            queue.commit();
            queue.retireAll();
            posted = true;
        }
        return posted;
    }

    /** Posts receive work requests, each retired, until an index is reached. */
    static void receiveUntil(Mlx5ReceiveQueue queue, int index, int mask) {
        while (queue.outstanding() > 0) {
            queue.retire();
        }
        while ((queue.head & mask) != (index & mask)) {
            queue.begin();
            queue.request(0);
            queue.seal();
            queue.commit();
            queue.retire();
        }
    }
}
