package dev.doorbell.conformance.cases;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.DatagramDestination;
import dev.doorbell.cm.MulticastMembership;
import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import java.net.InetSocketAddress;
import java.util.List;

/** Datagrams by address: which queue pair serves a port, and multicast groups. */
final class CmDatagramCases {
    private static final int QKEY = 0x01234567;
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.9.1.7", 0);

    private CmDatagramCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                cm("cm.datagram.find", "rdma_connect(3)", CmDatagramCases::find),
                cm("cm.datagram.private-data-limits", "rdma_connect(3): 180 bytes", CmDatagramCases::limits),
                cm("cm.datagram.rejected", "rdma_reject(3)", CmDatagramCases::rejected),
                cm("cm.datagram.nobody-listens", "rdma_connect(3)", CmDatagramCases::nobodyListens),
                cm("cm.multicast.join", "rdma_join_multicast(3)", CmDatagramCases::join),
                cm("cm.multicast.leave", "rdma_leave_multicast(3)", CmDatagramCases::leave),
                cm("cm.multicast.refused", "rdma_join_multicast(3): EINVAL", CmDatagramCases::refused));
    }

    private static ConformanceCase cm(String name, String origin, CmLine.Talk talk) {
        return CmLine.talk(name, origin, talk, Capability.UD);
    }

    private static void find(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.UDP, 1);
        CmId active = line.asking(listener, ConnectionParameters.defaults().withPrivateData((byte) 1, (byte) 2));
        CmEvent request = line.request();
        line.padded(
                "of the question",
                ConnectionParameters.CONNECT_DATAGRAM_DATA,
                new byte[] {1, 2},
                request.privateData());
        CmId passive = line.accept(request, ConnectionParameters.defaults().withPrivateData((byte) 3));
        CmEvent established = line.expect(line.a(), CmEventType.ESTABLISHED);
        line.padded(
                "of the answer", ConnectionParameters.ACCEPT_DATAGRAM_DATA, new byte[] {3}, established.privateData());
        DatagramDestination found = established.datagrams().orElseThrow();
        QueuePair receiver = passive.queuePair().orElseThrow();
        bench.check().equal("queue pair", receiver.number(), found.queuePairNumber());
        bench.check().equal("Q_Key", QKEY, found.qkey());
        reach(bench, active.queuePair().orElseThrow(), found, receiver);
    }

    /** A datagram gets to where it is said to go. */
    private static void reach(Bench bench, QueuePair sender, DatagramDestination to, QueuePair receiver) {
        MemoryRegion left = bench.a().register(64);
        MemoryRegion right = bench.b().register(128);
        Bytes.setLong(left.segment(), 0, 7);
        receiver.postReceive(1, right.slice(0, 128));
        try (AddressHandle handle = to.createAddressHandle(bench.a().domain());
                SendBatch batch = sender.batch()) {
            batch.send(2)
                    .to(handle, to.queuePairNumber(), to.qkey())
                    .sge(left.slice(0, 8))
                    .signaled();
            batch.submit();
            int sent = sender.sendCompletions().await(1, bench.patience(), done -> done.requireSuccess());
            bench.check().equal("send completions", 1, sent);
        }
        int received = receiver.receiveCompletions().await(1, bench.patience(), done -> done.requireSuccess());
        bench.check().equal("receive completions", 1, received);
        bench.check().equal("datagram", 7, Bytes.longAt(right.segment(), Grh.BYTES));
    }

    private static void limits(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.UDP, 1);
        CmId active = line.routed(PortSpace.UDP, listener.localAddress().orElseThrow());
        line.queuePair(active, bench.a());
        bench.check().refused("181 bytes", "EINVAL", () -> active.connect(with(181)));
        active.connect(with(180));
        CmEvent request = line.request();
        line.padded("of the question", 180, new byte[] {0, 0, 0, 9}, request.privateData());
        line.queuePair(request.id(), bench.b());
        bench.check().refused("137 bytes", "EINVAL", () -> request.id().accept(with(137)));
        request.id().accept(with(136));
        line.expect(line.a(), CmEventType.ESTABLISHED);
    }

    private static ConnectionParameters with(int bytes) {
        byte[] data = new byte[bytes];
        data[3] = 9;
        return ConnectionParameters.defaults().withPrivateData(data);
    }

    private static void unreachable(Bench bench, CmLine line, int status) {
        CmEvent event = line.expect(line.a(), CmEventType.UNREACHABLE);
        bench.check().equal("status", status, event.status());
    }

    private static void rejected(Bench bench, CmLine line) {
        line.asking(line.listener(PortSpace.UDP, 1), ConnectionParameters.defaults());
        line.request().id().reject();
        unreachable(bench, line, 2);
    }

    private static void nobodyListens(Bench bench, CmLine line) {
        CmId silent = line.b().create(PortSpace.UDP);
        silent.bind(CmLine.address(bench.b(), 0));
        line.asking(silent, ConnectionParameters.defaults());
        unreachable(bench, line, 1);
    }

    private static CmEvent joined(Bench bench, CmLine line, CmId id) {
        MulticastMembership membership = id.joinMulticast(GROUP, false);
        CmEvent event = line.expect(id.channel(), CmEventType.MULTICAST_JOIN);
        bench.check().equal("status", 0, event.status());
        bench.check().equal("membership", membership, event.membership().orElseThrow());
        return event;
    }

    private static void join(Bench bench, CmLine line) {
        CmId sender = line.bound(PortSpace.UDP);
        line.queuePair(sender, bench.a());
        DatagramDestination group = joined(bench, line, sender).datagrams().orElseThrow();
        bench.check().equal("queue pair", AddressHandle.MULTICAST_QUEUE_PAIR, group.queuePairNumber());
        bench.check().equal("Q_Key", QKEY, group.qkey());
        bench.check()
                .equal("group", Gid.ofGroup(GROUP.getAddress()), group.address().destination());
        CmId member = line.b().create(PortSpace.UDP);
        member.bind(CmLine.address(bench.b(), 0));
        line.queuePair(member, bench.b());
        joined(bench, line, member);
        if (bench.has(Capability.MULTICAST)) {
            QueuePair receiver = member.queuePair().orElseThrow();
            reach(bench, sender.queuePair().orElseThrow(), group, receiver);
        }
    }

    private static void leave(Bench bench, CmLine line) {
        CmId id = line.bound(PortSpace.UDP);
        QueuePair queuePair = line.queuePair(id, bench.a());
        MulticastMembership membership = joined(bench, line, id).membership().orElseThrow();
        membership.close();
        membership.close();
        Gid gid = Gid.ofGroup(GROUP.getAddress());
        bench.check().refused("leaving twice", "EINVAL", () -> queuePair.detachMulticast(gid));
        joined(bench, line, id);
    }

    private static void refused(Bench bench, CmLine line) {
        CmId unbound = line.a().create(PortSpace.UDP);
        bench.check().refused("without an address", "EINVAL", () -> unbound.joinMulticast(GROUP, false));
        CmId connected = line.bound(PortSpace.TCP);
        bench.check().refused("for connections", "EINVAL", () -> connected.joinMulticast(GROUP, false));
    }
}
