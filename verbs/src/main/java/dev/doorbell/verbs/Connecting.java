package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.RnrTimer;
import java.time.Duration;

/** Walks a queue pair through its states; which attributes a step takes depends on the transport service. */
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
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(options.pkeyIndex())
                .port(address.endpoint().port());
        boolean datagrams = queuePair.type() == QueuePairType.UD;
        queuePair.modify(
                (datagrams ? attributes.qkey(address.endpoint().qkey()) : attributes.access(options.accessMask()))
                        .build());
    }

    /** RESET or INIT to RTS, without a peer. */
    void activate() {
        if (queuePair.type() != QueuePairType.UD) {
            throw Refusal.of(Errno.EINVAL, "activate", queuePair.toString())
                    .rule("a queue pair of type " + queuePair.type() + " needs a peer")
                    .remedy("Call connect() with the peer's endpoint")
                    .exception();
        }
        if (requireFresh("activate") == QueuePairState.RESET) {
            initialize();
        }
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTR).build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(address.endpoint().psn())
                .build());
    }

    Connection connect(Endpoint peer) {
        Endpoint local = address.endpoint();
        refuseOtherType(local, peer);
        if (requireFresh("connect") == QueuePairState.RESET) {
            initialize();
        } else {
            // It was initialised for early receives, with the defaults; the options of this connection count.
            queuePair.modify(
                    QueuePairAttributes.builder().access(options.accessMask()).build());
        }
        Mtu mtu = local.mtu().min(peer.mtu()).min(options.maxMtu());
        return local.type() == QueuePairType.RC
                ? connectReliably(local, peer, mtu)
                : connectUnreliably(local, peer, mtu);
    }

    private Connection connectReliably(Endpoint local, Endpoint peer, Mtu mtu) {
        int takes = Math.min(local.responderDepth(), peer.initiatorDepth());
        int asks = Math.min(local.initiatorDepth(), peer.responderDepth());
        queuePair.modify(readyToReceive(peer, mtu)
                .maxDestReadAtomic(takes)
                .minRnrTimer(options.rnrTimerCode())
                .build());
        queuePair.modify(readyToSend(local)
                .timeout(options.ackTimeoutCode())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .maxReadAtomic(asks)
                .build());
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

    private Connection connectUnreliably(Endpoint local, Endpoint peer, Mtu mtu) {
        queuePair.modify(readyToReceive(peer, mtu).build());
        queuePair.modify(readyToSend(local).build());
        return new Connection(
                local,
                peer,
                mtu,
                Duration.ZERO,
                0,
                Duration.ZERO,
                0,
                0,
                0,
                address.gid().reason());
    }

    private QueuePairAttributes.Builder readyToReceive(Endpoint peer, Mtu mtu) {
        return QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(options.addressOf(
                        peer, address.endpoint().port(), address.gid().entry().index(), address.isGlobal(peer)))
                .pathMtu(mtu)
                .destinationQueuePair(peer.queuePairNumber())
                .receivePsn(peer.psn());
    }

    private static QueuePairAttributes.Builder readyToSend(Endpoint local) {
        return QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(local.psn());
    }

    /** The state, which is RESET or INIT. */
    private QueuePairState requireFresh(String operation) {
        QueuePairState from = queuePair.state();
        if (from != QueuePairState.RESET && from != QueuePairState.INIT) {
            throw Refusal.of(Errno.EINVAL, operation, queuePair.toString())
                    .limit("state " + from, "RESET or INIT")
                    .remedy("It is connected already, or failed; create another, or modify it to RESET first")
                    .exception();
        }
        return from;
    }

    private void refuseOtherType(Endpoint local, Endpoint peer) {
        if (local.type() != peer.type()) {
            throw Refusal.of(Errno.EINVAL, "connect", queuePair.toString())
                    .rule("the peer is a queue pair of another type")
                    .limit(peer.type(), local.type())
                    .exception();
        }
        if (local.type() == QueuePairType.UD) {
            throw Refusal.of(Errno.EINVAL, "connect", queuePair.toString())
                    .rule("datagrams have no connection: each work request says where it goes")
                    .remedy("Call activate(), and name an address handle of the peer with to() in each work request")
                    .exception();
        }
    }
}
