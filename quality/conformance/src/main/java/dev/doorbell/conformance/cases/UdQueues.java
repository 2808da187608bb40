package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import java.util.List;

/** Q_Keys of datagram queue pairs that not everybody may use. */
final class UdQueues {
    private static final int PRIVILEGED = 0x8000_0000;

    private UdQueues() {}

    static List<ConformanceCase> cases() {
        return List.of(ConformanceCase.named("ud.qkey-privileged")
                .from("test_qp.create_ud_qp_with_privileged_qkey; ibv_modify_qp(3): needs CAP_NET_RAW")
                .needs(Capability.UD)
                .runs(UdQueues::privileged));
    }

    private static void privileged(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD)
                .queuePairs(builder -> builder.qkey(PRIVILEGED | 5))
                .build();
        bench.check()
                .equal("Q_Key", PRIVILEGED | 5, pair.a().queuePair().query().qkey());
    }
}
