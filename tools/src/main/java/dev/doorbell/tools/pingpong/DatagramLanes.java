package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.GidChoice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One queue pair for datagrams (UD): it is not connected, so each message says where it goes. */
final class DatagramLanes implements Lanes {
    /** The Q_Key of all of these programs. */
    private static final int QKEY = 0x1111_1111;

    private static final int HOP_LIMIT = 64;

    private final Setup setup;
    private final QueuePair queuePair;
    private @Nullable AddressHandle route;
    private int peer;

    DatagramLanes(Setup setup) {
        this.setup = setup;
        this.queuePair = Lanes.describe(setup).qkey(QKEY).build();
        queuePair.initialize();
    }

    @Override
    public List<PortAddress> local() {
        return List.of(Lanes.addressOf(queuePair));
    }

    @Override
    public GidChoice gid() {
        return queuePair.gid();
    }

    @Override
    public void connect(List<PortAddress> remote) {
        PortAddress address = remote.getFirst();
        peer = address.queuePairNumber();
        route = setup.domain().createAddressHandle(vector(address));
        queuePair.activate();
    }

    private AddressVector vector(PortAddress address) {
        Settings settings = setup.settings();
        boolean global =
                address.lid() == 0 || setup.context().queryPort(settings.port()).linkLayer() != LinkLayer.INFINIBAND;
        return new AddressVector(
                address.gid(),
                gid().entry().index(),
                0,
                HOP_LIMIT,
                0,
                settings.port(),
                settings.serviceLevel(),
                address.lid(),
                global,
                0,
                Rate.MAX);
    }

    @Override
    public void postReceives(int count) {
        try (ReceiveBatch batch = queuePair.receives()) {
            Lanes.receives(batch, count, setup.ball());
        }
    }

    @Override
    public void postSend(int lane) {
        AddressHandle handle = route;
        if (handle == null) {
            throw new IllegalStateException("no message goes out before the peer's address is known");
        }
        try (SendBatch batch = queuePair.batch()) {
            Lanes.message(batch.send(SEND).to(handle, peer, QKEY), queuePair, setup.ball());
            batch.submit();
        }
    }

    @Override
    public int laneOf(int queuePairNumber) {
        return queuePairNumber == queuePair.number() ? 0 : -1;
    }

    @Override
    public void close() {
        queuePair.close();
        AddressHandle handle = route;
        if (handle != null) {
            handle.close();
        }
    }
}
