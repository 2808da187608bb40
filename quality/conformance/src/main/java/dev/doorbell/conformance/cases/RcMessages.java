package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/** Messages over a reliable connection, one after the other, as pyverbs' test_qpex sends them. */
final class RcMessages {
    private static final int ROUNDS = 100;

    private RcMessages() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            String test = "test_qpex.rc_"
                    + switch (kind) {
                        case SEND -> "send";
                        case SEND_IMM -> "send_imm";
                        case WRITE -> "rdma_write";
                        case WRITE_IMM -> "rdma_write_imm";
                        case READ -> "rdma_read";
                    };
            cases.add(ConformanceCase.named("rc." + kind.label() + ".hundred")
                    .from(test)
                    .runs(bench -> hundred(bench, kind)));
            cases.add(ConformanceCase.named("rc." + kind.label() + ".both-ways")
                    .from(test + "; both sides at once")
                    .runs(bench -> bothWays(bench, kind)));
        }
        return cases;
    }

    private static void hundred(Bench bench, MessageKind kind) {
        Pair pair = bench.pair(QueuePairType.RC).bytes(4096).build();
        Courier courier = new Courier(bench, pair);
        for (int i = 0; i < ROUNDS; i++) {
            courier.deliver(
                    kind, 1024, bench.draw().intIn(0, 3072), bench.draw().intIn(0, 3072));
        }
        pair.a().nothingSent();
        pair.b().nothingReceived();
    }

    private static void bothWays(Bench bench, MessageKind kind) {
        Pair pair = bench.pair();
        pair.a().memory().fill((byte) 1);
        pair.b().memory().fill((byte) 2);
        if (kind.takesReceive()) {
            pair.a().receive(10, 1000, 100);
            pair.b().receive(20, 1000, 100);
        }
        pair.a()
                .post(batch -> kind.open(batch, 1, pair.b().remote(), 1000, 7)
                        .sge(pair.a().region(), 0, 100)
                        .signaled());
        pair.b()
                .post(batch -> kind.open(batch, 2, pair.a().remote(), 1000, 8)
                        .sge(pair.b().region(), 0, 100)
                        .signaled());
        pair.a().sent(1);
        pair.b().sent(2);
        if (kind.takesReceive()) {
            int fromB = pair.a().received(10).immediate();
            int fromA = pair.b().received(20).immediate();
            bench.check().equal("immediate data from A", kind.hasImmediate() ? 7 : 0, fromA);
            bench.check().equal("immediate data from B", kind.hasImmediate() ? 8 : 0, fromB);
        }
        boolean read = kind == MessageKind.READ;
        long at = read ? 0 : 1000;
        for (long i : new long[] {at, at + 99}) {
            bench.check().equal("byte " + i + " of A", 2, Bytes.at(pair.a().memory(), i));
            bench.check().equal("byte " + i + " of B", 1, Bytes.at(pair.b().memory(), i));
        }
    }
}
