package dev.doorbell.verbs;

import dev.doorbell.verbs.spi.ReceiveQueue;

/** The posting end of a shared receive queue, which has no state that forbids posting. */
final class SharedReceives extends ReceiveEnd {
    SharedReceives(String name, ReceiveQueue queue, int depth, boolean singleThreaded) {
        // Only how many are staged matters: what is left in it when it is closed is reported nowhere.
        super(name, queue, new QueueTurn(name, singleThreaded), new WorkIds(1), depth);
    }

    @Override
    void admit(String operation) {}

    @Override
    void posted() {}
}
