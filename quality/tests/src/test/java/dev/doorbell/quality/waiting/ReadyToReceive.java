package dev.doorbell.quality.waiting;

import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;

/** Takes a queue pair back halfway: it receives, and does not send yet. */
final class ReadyToReceive {
    private ReadyToReceive() {}

    /** From RTS over RESET to RTR, with the same peer. */
    static void restart(QueuePair queuePair) {
        QueuePairAttributes connected = queuePair.query();
        queuePair.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        queuePair.initialize();
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(connected.address())
                .pathMtu(connected.pathMtu())
                .destinationQueuePair(connected.destinationQueuePair())
                .receivePsn(connected.receivePsn())
                .maxDestReadAtomic(connected.maxDestReadAtomic())
                .minRnrTimer(connected.minRnrTimer())
                .build());
    }
}
