package dev.doorbell.bench;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;

/** Brings an RC queue pair of a device that does not exist to RTS, where a program may post. */
public final class Activation {
    private Activation() {}

    /** Through INIT, RTR and RTS; its peer has its own number. */
    public static void towardsItself(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(0)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(AddressVector.roce(Gid.ofIpv4(0x7f000001), 1, 0))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePair(queuePair.number())
                .receivePsn(0)
                .maxDestReadAtomic(1)
                .minRnrTimer(1)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .sendPsn(0)
                .maxReadAtomic(1)
                .build());
    }
}
