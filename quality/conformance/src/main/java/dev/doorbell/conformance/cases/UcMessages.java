package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.Connection;
import dev.doorbell.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.List;

/** Messages over an unreliable connection, where nothing gets lost on the way. */
final class UcMessages {
    private static final int ROUNDS = 50;

    private UcMessages() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            if (kind != MessageKind.READ) {
                cases.add(ConformanceCase.named("uc." + kind.label() + ".fifty")
                        .from("rule 3.12; ibv_post_send(3)")
                        .needs(Capability.UC)
                        .runs(bench -> fifty(bench, kind)));
                cases.addAll(RcSizes.sizes(QueuePairType.UC, kind));
            }
        }
        cases.add(ConformanceCase.named("uc.connect.attributes")
                .from("test_qp.create_uc_qp_no_attr, query_uc_qp; ibv_modify_qp(3)")
                .needs(Capability.UC)
                .runs(UcMessages::attributes));
        cases.add(ConformanceCase.named("uc.send.unsignaled-batch")
                .from("ibv_post_send(3): the slots of work requests without a completion come back")
                .needs(Capability.UC)
                .runs(UcMessages::unsignaled));
        return cases;
    }

    private static void fifty(Bench bench, MessageKind kind) {
        Pair pair = bench.pair(QueuePairType.UC).bytes(4096).build();
        Courier courier = new Courier(bench, pair);
        for (int i = 0; i < ROUNDS; i++) {
            courier.deliver(
                    kind, 1024, bench.draw().intIn(0, 3072), bench.draw().intIn(0, 3072));
        }
        pair.a().nothingSent();
        pair.b().nothingReceived();
    }

    private static void attributes(Bench bench) {
        Pair.Builder builder = bench.pair(QueuePairType.UC);
        Pair pair = builder.unconnected().build();
        Connection connection =
                pair.a().queuePair().connect(pair.b().queuePair().endpoint());
        QueuePairAttributes attributes = pair.a().queuePair().query();
        bench.check().equal("state", QueuePairState.RTS, attributes.state());
        bench.check().equal("peer", pair.b().queuePair().number(), attributes.destinationQueuePair());
        bench.check().equal("path MTU", connection.mtu(), attributes.pathMtu());
        bench.check().equal("first PSN", pair.a().queuePair().endpoint().psn(), attributes.sendPsn());
        bench.check().equal("type", QueuePairType.UC, pair.a().queuePair().type());
    }

    private static void unsignaled(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        for (int round = 0; round < 4; round++) {
            pair.a().post(batch -> {
                for (int i = 1; i < 16; i++) {
                    batch.write(i, pair.b().remote(), 8L * i).sge(pair.a().region(), 0, 8);
                }
                batch.write(16, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
            });
            pair.a().sent(16);
        }
        pair.a().nothingSent();
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }
}
