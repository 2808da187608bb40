package dev.doorbell.verbs;

import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.spi.ReceiveQueue;

/** The receive queue that belongs to one queue pair. */
final class OwnReceives extends ReceiveEnd {
    private final QueuePairCore core;

    OwnReceives(QueuePairCore core, ReceiveQueue queue, int depth, boolean singleThreaded) {
        super(
                core.name,
                queue,
                new QueueTurn("receive queue of " + core.name, singleThreaded),
                new WorkIds(depth),
                depth);
        this.core = core;
    }

    @Override
    void admit(String operation) {
        if (core.state == QueuePairState.RESET) {
            throw PostRefusals.state(operation, core, "any state but RESET: call initialize() or connect(peer)");
        }
    }

    /** In the error state no message comes that would make the device look. */
    @Override
    void posted() {
        if (core.state == QueuePairState.ERROR) {
            core.provider.flushReceives();
        }
    }
}
