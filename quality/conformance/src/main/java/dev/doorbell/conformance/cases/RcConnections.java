package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.LinkFaults.Packets;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What belongs to a connection: its peer, its sequence numbers, its MTU, and other connections beside it. */
final class RcConnections {
    private static final int ATTEMPTS = 5;

    private RcConnections() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        cases.add(ConformanceCase.named("rc.psn.wraps").from("rule 3.1").runs(RcConnections::psnWraps));
        for (Mtu mtu : Mtu.values()) {
            cases.add(ConformanceCase.named("rc.mtu.packets-of-a-message@" + mtu)
                    .from("rule 1.5")
                    .needs(Capability.FAULTS)
                    .runs(bench -> packets(bench, mtu)));
        }
        cases.add(ConformanceCase.named("rc.mtu.the-smaller-counts")
                .from("ibv_modify_qp(3): path_mtu")
                .runs(RcConnections::smallerMtu));
        cases.add(ConformanceCase.named("rc.connection.stranger-not-heard")
                .from("ibv_modify_qp(3): dest_qp_num; rule 3.5")
                .runs(RcConnections::stranger));
        cases.add(ConformanceCase.named("rc.connection.many-side-by-side")
                .from("ibv_create_qp(3)")
                .runs(RcConnections::manyPairs));
        cases.add(ConformanceCase.named("rc.connection.outstanding-reads")
                .from("ibv_modify_qp(3): max_rd_atomic; rule 3.4")
                .runs(RcConnections::outstandingReads));
        cases.add(ConformanceCase.named("rc.connection.no-reads-agreed")
                .from("ibv_modify_qp(3): max_rd_atomic 0")
                .runs(RcConnections::noReads));
        return cases;
    }

    private static void psnWraps(Bench bench) {
        for (MessageKind kind : MessageKind.values()) {
            Pair pair = bench.pair(QueuePairType.RC)
                    .mtu(Mtu.MTU_256)
                    .queuePairs(builder -> builder.psn(0xff_fffd))
                    .build();
            bench.check()
                    .equal("PSN", 0xff_fffd, pair.a().queuePair().endpoint().psn());
            Courier courier = new Courier(bench, pair);
            for (int i = 0; i < 5; i++) {
                courier.deliver(kind, 700, 0, 64);
            }
            pair.a().queuePair().close();
        }
    }

    private static void packets(Bench bench, Mtu mtu) {
        Pair pair = bench.pair(QueuePairType.RC).mtu(mtu).build();
        Courier courier = new Courier(bench, pair);
        for (MessageKind kind : MessageKind.values()) {
            for (int bytes : new int[] {1, 4096, 4097, 10_000}) {
                int packets = (bytes + mtu.bytes() - 1) / mtu.bytes();
                int counted = packets(bench, courier, kind, bytes);
                // Where the machine pauses, a device may take its packets for lost and send them again.
                for (int more = 0; more < ATTEMPTS && counted > packets; more++) {
                    counted = Math.min(counted, packets(bench, courier, kind, bytes));
                }
                bench.check().equal("packets of " + kind + " of " + bytes, packets, counted);
            }
        }
    }

    private static int packets(Bench bench, Courier courier, MessageKind kind, int bytes) {
        bench.faults().count(kind == MessageKind.READ ? Packets.READ_RESPONSE : Packets.REQUEST);
        courier.deliver(kind, bytes, 0, 64);
        return bench.faults().counted();
    }

    private static void smallerMtu(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).mtu(Mtu.MTU_512).build();
        bench.check()
                .equal("MTU of A", Mtu.MTU_512, pair.a().queuePair().query().pathMtu());
        bench.check()
                .equal("MTU of B", Mtu.MTU_512, pair.b().queuePair().query().pathMtu());
    }

    private static void stranger(Bench bench) {
        Pair.Builder builder = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(1).ackTimeout(Duration.ofMillis(8)))
                .queuePairs(queuePair -> queuePair.psn(100));
        Pair pair = builder.build();
        // On the wire nothing tells a queue pair from another one of the peer's port but the sequence numbers.
        End stranger = builder.queuePairs(queuePair -> queuePair.psn(5000)).end(bench.a());
        builder.connectOneWay(stranger, pair.b());
        pair.b().receive(9, 0, 64);
        stranger.memory().fill((byte) 6);
        stranger.post(batch -> batch.write(1, pair.b().remote(), 1024)
                .sge(stranger.region(), 0, 8)
                .signaled());
        stranger.sent(1, WorkCompletionStatus.RETRY_EXC_ERR);
        bench.check().equal("the peer's memory", 0, Bytes.longAt(pair.b().memory(), 1024));
        bench.check()
                .equal(
                        "state of B",
                        QueuePairState.RTS,
                        pair.b().queuePair().query().state());
        pair.a().post(batch -> batch.send(2).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(2);
        pair.b().received(9);
    }

    private static void manyPairs(Bench bench) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pairs.add(bench.pair(QueuePairType.RC).bytes(64).build());
        }
        for (int i = 0; i < pairs.size(); i++) {
            Pair pair = pairs.get(i);
            byte own = (byte) (i + 1);
            pair.a().memory().fill(own);
            pair.b().receive(100 + i, 0, 64);
        }
        for (int i = 0; i < pairs.size(); i++) {
            Pair pair = pairs.get(i);
            int id = i;
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 64).signaled());
        }
        for (int i = 0; i < pairs.size(); i++) {
            pairs.get(i).a().sent(i);
            pairs.get(i).b().received(100 + i);
            bench.check()
                    .bytes(
                            "message " + i,
                            pairs.get(i).a().memory(),
                            pairs.get(i).b().memory());
        }
    }

    private static void outstandingReads(Bench bench) {
        for (int depth : new int[] {1, 2, 16}) {
            Pair pair = bench.pair(QueuePairType.RC)
                    .queuePairs(builder -> builder.readAtomicDepth(depth).depth(32, 16))
                    .build();
            pair.b().memory().copyFrom(bench.drawnBytes((int) pair.b().memory().byteSize()));
            pair.a().post(batch -> {
                for (int i = 0; i < 32; i++) {
                    batch.read(i, pair.b().remote(), 1000L * i)
                            .sge(pair.a().region(), 1000L * i, 1000)
                            .signaled();
                }
            });
            for (int i = 0; i < 32; i++) {
                pair.a().sent(i);
            }
            bench.check()
                    .bytes(
                            "what was read",
                            pair.b().memory().asSlice(0, 32_000),
                            pair.a().memory().asSlice(0, 32_000));
        }
    }

    private static void noReads(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .queuePairs(builder -> builder.readAtomicDepth(0))
                .build();
        pair.a()
                .post(batch -> batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("agreed", 0, pair.a().queuePair().query().maxReadAtomic());
    }
}
