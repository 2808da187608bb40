package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Grh;
import java.util.List;

/** Multicast groups: who is in one gets a copy, who is not gets none. */
final class MulticastCases {
    private static final Gid GROUP = Gid.ofIpv4(0xefff_0101);
    private static final Gid OTHER = Gid.ofIpv4(0xefff_0102);
    private static final int QKEY = 0x1111_1111;

    private MulticastCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                multicast("ud.multicast.every-member", "ibv_attach_mcast(3)", MulticastCases::members),
                multicast("ud.multicast.leave", "ibv_detach_mcast(3)", MulticastCases::leave),
                multicast("ud.multicast.wrong-qkey", "rules 3.13, 3.14", MulticastCases::wrongQkey),
                multicast("ud.multicast.attach-twice", "ibv_attach_mcast(3)", MulticastCases::twice),
                attach("ud.multicast.refused", "ibv_attach_mcast(3): EINVAL", MulticastCases::refused),
                multicast("ud.multicast.close-while-attached", "ibv_destroy_qp(3): EBUSY in C", MulticastCases::close));
    }

    /** Cases that attach and send nothing. */
    private static ConformanceCase attach(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name).from(origin).needs(Capability.UD).runs(body);
    }

    private static ConformanceCase multicast(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name)
                .from(origin)
                .needs(Capability.UD, Capability.MULTICAST)
                .runs(body);
    }

    private static Pair.Builder pair(Bench bench) {
        return bench.pair(QueuePairType.UD).queuePairs(builder -> builder.qkey(QKEY));
    }

    private static void send(End from, AddressHandle group, long id, int qkey) {
        Bytes.setLong(from.memory(), 0, id);
        from.post(batch -> batch.send(id)
                .to(group, AddressHandle.MULTICAST_QUEUE_PAIR, qkey)
                .sge(from.region(), 0, 8)
                .signaled());
        from.sent(id);
    }

    private static void gets(Bench bench, End member, long receive, long id) {
        member.received(receive);
        bench.check().equal("payload", id, Bytes.longAt(member.memory(), 1024 + Grh.BYTES));
    }

    private static void members(Bench bench) {
        Pair first = pair(bench).build();
        Pair second = pair(bench).build();
        List<End> members = List.of(first.b(), second.b());
        for (End member : members) {
            member.queuePair().attachMulticast(GROUP);
            member.receive(20, 1024, 200);
        }
        second.a().receive(21, 1024, 200);
        send(first.a(), first.a().side().domain().createAddressHandle(GROUP), 7, QKEY);
        for (End member : members) {
            gets(bench, member, 20, 7);
            Grh header = Grh.read(member.memory(), 1024);
            bench.check().equal("destination", GROUP, header.destination());
            bench.check().equal("source", first.a().queuePair().endpoint().gid(), header.source());
        }
        second.a().nothingReceived();
    }

    private static void leave(Bench bench) {
        Pair pair = pair(bench).build();
        Pair other = pair(bench).build();
        pair.b().queuePair().attachMulticast(GROUP);
        other.b().queuePair().attachMulticast(GROUP);
        pair.b().queuePair().detachMulticast(GROUP);
        pair.b().receive(20, 1024, 200);
        other.b().receive(30, 1024, 200);
        AddressHandle group = pair.a().side().domain().createAddressHandle(GROUP);
        send(pair.a(), group, 7, QKEY);
        gets(bench, other.b(), 30, 7);
        pair.b().nothingReceived();
        bench.check()
                .refused("leaving twice", "EINVAL", () -> pair.b().queuePair().detachMulticast(GROUP));
    }

    private static void wrongQkey(Bench bench) {
        Pair pair = pair(bench).build();
        pair.b().queuePair().attachMulticast(GROUP);
        pair.b().receive(20, 1024, 200);
        AddressHandle group = pair.a().side().domain().createAddressHandle(GROUP);
        send(pair.a(), group, 7, QKEY + 1);
        send(pair.a(), group, 8, QKEY);
        gets(bench, pair.b(), 20, 8);
        pair.b().nothingReceived();
    }

    private static void twice(Bench bench) {
        Pair pair = pair(bench).build();
        pair.b().queuePair().attachMulticast(GROUP);
        pair.b().queuePair().attachMulticast(GROUP);
        pair.b().queuePair().attachMulticast(OTHER);
        pair.b().receive(20, 1024, 200);
        pair.b().receive(21, 1024, 200);
        send(pair.a(), pair.a().side().domain().createAddressHandle(GROUP), 7, QKEY);
        gets(bench, pair.b(), 20, 7);
        send(pair.a(), pair.a().side().domain().createAddressHandle(OTHER), 8, QKEY);
        gets(bench, pair.b(), 21, 8);
    }

    private static void refused(Bench bench) {
        Pair pair = pair(bench).build();
        End reliable = bench.pair().a();
        bench.check()
                .refused("RC in a group", "EINVAL", () -> reliable.queuePair().attachMulticast(GROUP));
        Gid unicast = pair.a().queuePair().endpoint().gid();
        bench.check().refused("no group", "EINVAL", () -> pair.a().queuePair().attachMulticast(unicast));
        bench.check()
                .refused(
                        "leaving what it is not in",
                        "EINVAL",
                        () -> pair.a().queuePair().detachMulticast(GROUP));
    }

    private static void close(Bench bench) {
        Pair pair = pair(bench).build();
        pair.b().queuePair().attachMulticast(GROUP);
        pair.b().queuePair().attachMulticast(OTHER);
        pair.b().queuePair().close();
        send(pair.a(), pair.a().side().domain().createAddressHandle(GROUP), 7, QKEY);
        pair.a().nothingReceived();
    }
}
