package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RnrTimer;

/** Walks a reliable connection through its states. */
final class Connecting {
    private final QueuePair queuePair;
    private final QueuePairAddress address;
    private final ConnectOptions options;

    Connecting(QueuePair queuePair, QueuePairAddress address, ConnectOptions options) {
        this.queuePair = queuePair;
        this.address = address;
        this.options = options;
    }

    /** RESET to INIT: receives can be posted. */
    void initialize() {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(options.pkeyIndex())
                .port(address.endpoint().port())
                .access(options.accessMask())
                .build());
    }

    Connection connect(Endpoint peer) {
        Endpoint local = address.endpoint();
        refuseOtherType(local, peer);
        QueuePairState from = queuePair.state();
        if (from == QueuePairState.RESET) {
            initialize();
        } else if (from == QueuePairState.INIT) {
            // It was initialised for early receives, with the defaults; the options of this connection count.
            queuePair.modify(
                    QueuePairAttributes.builder().access(options.accessMask()).build());
        } else {
            throw Refusal.of(Errno.EINVAL, "connect", queuePair.toString())
                    .limit("state " + from, "RESET or INIT")
                    .remedy("It is connected already, or failed; create another, or modify it to RESET first")
                    .exception();
        }
        Mtu mtu = local.mtu().min(peer.mtu()).min(options.maxMtu());
        int takes = Math.min(local.responderDepth(), peer.initiatorDepth());
        int asks = Math.min(local.initiatorDepth(), peer.responderDepth());
        readyToReceive(peer, mtu, takes);
        readyToSend(local, asks);
        return new Connection(
                local,
                peer,
                mtu,
                AckTimeout.duration(options.ackTimeoutCode()),
                options.retryCount(),
                RnrTimer.duration(options.rnrTimerCode()),
                options.rnrRetry(),
                asks,
                takes,
                address.gid().reason());
    }

    private void readyToReceive(Endpoint peer, Mtu mtu, int takes) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(options.addressOf(
                        peer, address.endpoint().port(), address.gid().entry().index(), address.isGlobal(peer)))
                .pathMtu(mtu)
                .destinationQueuePair(peer.queuePairNumber())
                .receivePsn(peer.psn())
                .maxDestReadAtomic(takes)
                .minRnrTimer(options.rnrTimerCode())
                .build());
    }

    private void readyToSend(Endpoint local, int asks) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .timeout(options.ackTimeoutCode())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .sendPsn(local.psn())
                .maxReadAtomic(asks)
                .build());
    }

    private void refuseOtherType(Endpoint local, Endpoint peer) {
        if (local.type() != peer.type()) {
            throw Refusal.of(Errno.EINVAL, "connect", queuePair.toString())
                    .rule("the peer is a queue pair of another type")
                    .limit(peer.type(), local.type())
                    .exception();
        }
    }
}
