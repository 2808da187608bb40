package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.RnrTimer;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.GidChoice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Queue pairs that are connected to one of the peer's each (RC, UC), with the constants of the C programs. Receives go to
 * the first; if there are more, they share a receive queue.
 */
final class ConnectedLanes implements Lanes {
    private static final int ACK_TIMEOUT_CODE = 14;
    private static final int RETRIES = 7;
    private static final int RNR_TIMER_CODE = 12;
    private static final int ENDLESS_RNR_RETRIES = 7;
    private static final int READ_ATOMIC_DEPTH = 1;

    /** The C programs of old had 1 here, which no router forwards. The peer does not see the difference. */
    private static final int HOP_LIMIT = 64;

    private final Setup setup;
    private final Settings settings;
    private final QueuePair[] queuePairs;

    /**
     * Creates them, in the state INIT.
     *
     * @param description completes the description of each queue pair
     */
    ConnectedLanes(Setup setup, UnaryOperator<QueuePair.Builder> description) {
        this.setup = setup;
        this.settings = setup.settings();
        this.queuePairs = new QueuePair[settings.queuePairs()];
        for (int i = 0; i < queuePairs.length; i++) {
            queuePairs[i] = description.apply(Lanes.describe(setup)).build();
            queuePairs[i].initialize();
        }
    }

    @Override
    public List<PortAddress> local() {
        return List.of(queuePairs).stream().map(Lanes::addressOf).toList();
    }

    @Override
    public GidChoice gid() {
        return queuePairs[0].gid();
    }

    @Override
    public void connect(List<PortAddress> remote) {
        ConnectOptions options = ConnectOptions.defaults()
                .maxMtu(settings.mtu())
                .ackTimeout(AckTimeout.duration(ACK_TIMEOUT_CODE))
                .retryCount(RETRIES)
                .rnrTimer(RnrTimer.duration(RNR_TIMER_CODE))
                .rnrRetry(ENDLESS_RNR_RETRIES)
                .serviceLevel(settings.serviceLevel())
                .hopLimit(HOP_LIMIT)
                .access();
        for (int i = 0; i < queuePairs.length; i++) {
            queuePairs[i].connect(endpoint(remote.get(i)), options);
        }
    }

    private Endpoint endpoint(PortAddress peer) {
        return new Endpoint(
                settings.service().type(),
                peer.queuePairNumber(),
                peer.psn(),
                peer.gid(),
                peer.lid(),
                settings.port(),
                settings.mtu(),
                READ_ATOMIC_DEPTH,
                READ_ATOMIC_DEPTH,
                0);
    }

    @Override
    public void postReceives(int count) {
        try (ReceiveBatch batch = queuePairs[0].receives()) {
            Lanes.receives(batch, count, setup.ball());
        }
    }

    @Override
    public void postSend(int lane) {
        try (SendBatch batch = queuePairs[lane].batch()) {
            Lanes.message(batch.send(SEND), queuePairs[lane], setup.ball());
            batch.submit();
        }
    }

    @Override
    public int laneOf(int queuePairNumber) {
        for (int i = 0; i < queuePairs.length; i++) {
            if (queuePairs[i].number() == queuePairNumber) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void close() {
        for (QueuePair queuePair : queuePairs) {
            queuePair.close();
        }
    }
}
