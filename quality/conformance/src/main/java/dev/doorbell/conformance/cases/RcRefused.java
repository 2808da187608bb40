package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.ReceiveBatch;
import java.util.List;

/** Work requests that are refused before they are posted. */
final class RcRefused {
    private RcRefused() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.post-send.in-reset-refused")
                        .from("test_qpex.post_send_qp_state_bad_flow")
                        .runs(RcRefused::sendInReset),
                ConformanceCase.named("rc.post-receive.in-reset-refused")
                        .from("test_qpex.post_receive_qp_state_bad_flow")
                        .runs(RcRefused::receiveInReset),
                ConformanceCase.named("rc.post-receive.queue-full")
                        .from("test_qpex.full_rq_bad_flow: ENOMEM")
                        .runs(RcRefused::receiveQueueFull),
                ConformanceCase.named("rc.post-send.queue-full")
                        .from("ibv_post_send(3): ENOMEM")
                        .runs(RcRefused::sendQueueFull),
                ConformanceCase.named("rc.post-receive.too-many-elements")
                        .from("test_qpex.rq_with_larger_sgl_bad_flow: EINVAL")
                        .runs(RcRefused::receiveElements),
                ConformanceCase.named("rc.post-send.too-many-elements")
                        .from("ibv_post_send(3): EINVAL")
                        .runs(RcRefused::sendElements));
    }

    private static void sendInReset(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        bench.check()
                .equal(
                        "state",
                        QueuePairState.RESET,
                        pair.a().queuePair().query().state());
        bench.check()
                .refused(
                        "a send in RESET",
                        "EINVAL",
                        () -> pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8)));
        pair.a().queuePair().initialize();
        bench.check()
                .refused(
                        "a send in INIT",
                        "EINVAL",
                        () -> pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8)));
    }

    private static void receiveInReset(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        bench.check().refused("a receive in RESET", "EINVAL", () -> pair.a().receive(1, 0, 8));
        pair.a().queuePair().initialize();
        pair.a().receive(1, 0, 8);
        bench.check().equal("credit in INIT", 1, pair.a().queuePair().receiveCredit());
    }

    private static void receiveQueueFull(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 16; i++) {
            pair.b().receive(i, 0, 64);
        }
        QueueFullException full = (QueueFullException) bench.check()
                .refused("the 17th receive", "ENOMEM", () -> pair.b().receive(16, 0, 64));
        bench.check().equal("capacity", 16, full.capacity());
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(1);
        pair.b().received(0);
        pair.b().receive(16, 0, 64);
        bench.check().equal("credit", 16, pair.b().queuePair().receiveCredit());
    }

    private static void sendQueueFull(Bench bench) {
        Pair pair = bench.pair();
        // Nobody receives, so that none of them can be retired.
        for (int i = 0; i < 16; i++) {
            int id = i;
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
        }
        bench.check()
                .refused(
                        "the 17th send",
                        "ENOMEM",
                        () -> pair.a().post(batch -> batch.send(16).sge(pair.a().region(), 0, 8)));
        for (int i = 0; i < 16; i++) {
            pair.b().receive(i, 0, 64);
        }
        for (int i = 0; i < 16; i++) {
            pair.a().sent(i);
            pair.b().received(i);
        }
        pair.a().nothingSent();
    }

    private static void receiveElements(Bench bench) {
        Pair pair = bench.pair();
        int most = pair.b().queuePair().capacity().maxReceiveSge();
        bench.check().refused("one element too many", "EINVAL", () -> {
            try (ReceiveBatch batch = pair.b().queuePair().receives()) {
                batch.receive(1);
                for (int i = 0; i <= most; i++) {
                    batch.sge(pair.b().region(), 8L * i, 8);
                }
                batch.submit();
            }
        });
        bench.check().equal("credit", 0, pair.b().queuePair().receiveCredit());
    }

    private static void sendElements(Bench bench) {
        Pair pair = bench.pair();
        int most = pair.a().queuePair().capacity().maxSendSge();
        bench.check()
                .refused(
                        "one element too many",
                        "EINVAL",
                        () -> pair.a().post(batch -> {
                            batch.write(1, pair.b().remote(), 0);
                            for (int i = 0; i <= most; i++) {
                                batch.sge(pair.a().region(), 8L * i, 8);
                            }
                        }));
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }
}
