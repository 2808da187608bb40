package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.GidChoice;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import java.util.List;

/** Reliable connections that take their receives from one queue (SRQ). */
final class SharedLanes implements Lanes {
    private final Setup setup;
    private final SharedReceiveQueue receives;
    private final ConnectedLanes connections;

    SharedLanes(Setup setup) {
        this.setup = setup;
        this.receives = setup.domain()
                .sharedReceiveQueue(setup.settings().receiveDepth())
                .build();
        this.connections = new ConnectedLanes(setup, builder -> builder.sharedReceiveQueue(receives));
    }

    @Override
    public List<PortAddress> local() {
        return connections.local();
    }

    @Override
    public GidChoice gid() {
        return connections.gid();
    }

    @Override
    public void connect(List<PortAddress> remote) {
        connections.connect(remote);
    }

    @Override
    public void postReceives(int count) {
        try (ReceiveBatch batch = receives.receives()) {
            Lanes.receives(batch, count, setup.ball());
        }
    }

    @Override
    public void postSend(int lane) {
        connections.postSend(lane);
    }

    @Override
    public int laneOf(int queuePairNumber) {
        return connections.laneOf(queuePairNumber);
    }

    @Override
    public void close() {
        connections.close();
        receives.close();
    }
}
