package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.QueuePairAttributes;
import java.util.List;

/** The error state: everything that is outstanding comes back once, in order; and what closing does to it. */
final class RcFlush {
    private RcFlush() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.flush.by-modify")
                        .from("ibv_modify_qp(3): IBV_QPS_ERR; rule 3.8")
                        .runs(RcFlush::byModify),
                ConformanceCase.named("rc.flush.behind-a-failure")
                        .from("ibv_poll_cq(3): IBV_WC_WR_FLUSH_ERR; rule 3.8")
                        .runs(RcFlush::behindFailure),
                ConformanceCase.named("rc.flush.posted-in-error")
                        .from("ibv_post_send(3); rule 3.8")
                        .runs(RcFlush::postedInError),
                ConformanceCase.named("rc.flush.unsignaled-too")
                        .from("ibv_post_send(3); rule 3.8")
                        .runs(RcFlush::unsignaled),
                ConformanceCase.named("rc.flush.earlier-work-succeeds")
                        .from("rule 3.4: what is before a failure succeeds")
                        .runs(RcFlush::earlierSucceeds),
                ConformanceCase.named("rc.flush.reset-forgets")
                        .from("ibv_modify_qp(3): IBV_QPS_RESET; rule 3.8")
                        .runs(RcFlush::resetForgets),
                ConformanceCase.named("rc.flush.close-returns-everything")
                        .from("gap: destroy with outstanding work; ibv_destroy_qp(3)")
                        .runs(RcFlush::closeReturns),
                ConformanceCase.named("rc.flush.reconnect-after-error")
                        .from("ibv_modify_qp(3): ERR to RESET to RTS")
                        .runs(RcFlush::reconnect));
    }

    private static void toError(Pair pair) {
        pair.a()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERROR)
                        .build());
    }

    private static void postBlocked(Pair pair, int count) {
        pair.a().post(batch -> {
            for (int i = 0; i < count; i++) {
                batch.send(i).sge(pair.a().region(), 0, 8).signaled();
            }
        });
    }

    private static void flushed(Bench bench, String what, List<Completion> completions, int from) {
        for (int i = 0; i < completions.size(); i++) {
            bench.check().equal(what + " " + i, from + i, completions.get(i).id());
            bench.check()
                    .equal(
                            what + " " + i + ": status",
                            WorkCompletionStatus.WR_FLUSH_ERR,
                            completions.get(i).status());
        }
    }

    private static void byModify(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 16; i++) {
            pair.a().receive(100 + i, 0, 64);
        }
        postBlocked(pair, 16);
        toError(pair);
        flushed(bench, "send", pair.a().allSent(16), 0);
        flushed(bench, "receive", pair.a().allReceived(16), 100);
        pair.a().nothingSent();
        pair.a().nothingReceived();
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
        bench.check().equal("credit", 0, pair.a().queuePair().receiveCredit());
    }

    private static void behindFailure(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 5; i++) {
            pair.a().receive(100 + i, 0, 64);
            pair.b().receive(200 + i, 0, 64);
        }
        pair.a().post(batch -> {
            batch.write(0, pair.b().remote().address(), pair.b().region().rkey() ^ 0x40)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
            for (int i = 1; i < 10; i++) {
                batch.send(i).sge(pair.a().region(), 0, 8).signaled();
            }
        });
        pair.a().sent(0, WorkCompletionStatus.REM_ACCESS_ERR);
        flushed(bench, "send", pair.a().allSent(9), 1);
        flushed(bench, "receive of A", pair.a().allReceived(5), 100);
        flushed(bench, "receive of B", pair.b().allReceived(5), 200);
        pair.a().nothingSent();
    }

    private static void postedInError(Bench bench) {
        Pair pair = bench.pair();
        toError(pair);
        for (int i = 0; i < 5; i++) {
            int id = i;
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8));
            pair.a().receive(100 + i, 0, 64);
        }
        flushed(bench, "send", pair.a().allSent(5), 0);
        // Some kernels flush late receives with the next event of the queue pair only: closing is the last.
        pair.a().queuePair().close();
        flushed(bench, "receive", pair.a().allReceived(5), 100);
    }

    private static void unsignaled(Bench bench) {
        Pair pair = bench.pair();
        pair.a().post(batch -> {
            for (int i = 0; i < 10; i++) {
                batch.send(i).sge(pair.a().region(), 0, 8);
            }
        });
        toError(pair);
        flushed(bench, "send", pair.a().allSent(10), 0);
        pair.a().nothingSent();
    }

    private static void earlierSucceeds(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(100, 0, 64);
        pair.a().post(batch -> {
            batch.write(0, pair.b().remote(), 0).sge(pair.a().region(), 0, 5000).signaled();
            batch.read(1, pair.b().remote(), 0)
                    .sge(pair.a().region(), 8192, 5000)
                    .signaled();
            batch.fetchAndAdd(2, pair.b().remote(), 8, 1)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
            batch.send(3).sge(pair.a().region(), 0, 8).signaled();
            batch.read(4, pair.b().remote().address(), pair.b().region().rkey() ^ 0x40)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
            batch.write(5, pair.b().remote(), 0).sge(pair.a().region(), 0, 8).signaled();
        });
        for (int i = 0; i < 4; i++) {
            pair.a().sent(i);
        }
        pair.b().received(100);
        pair.a().sent(4, WorkCompletionStatus.REM_ACCESS_ERR);
        pair.a().sent(5, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static void resetForgets(Bench bench) {
        Pair.Builder builder = bench.pair(QueuePairType.RC);
        Pair pair = builder.build();
        pair.a().receive(100, 0, 64);
        postBlocked(pair, 5);
        for (End end : List.of(pair.a(), pair.b())) {
            end.queuePair()
                    .modify(QueuePairAttributes.builder()
                            .state(QueuePairState.RESET)
                            .build());
            bench.check()
                    .equal(
                            "state",
                            QueuePairState.RESET,
                            end.queuePair().query().state());
        }
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
        bench.check().equal("credit", 0, pair.a().queuePair().receiveCredit());
        builder.connect(pair.a(), pair.b());
        pair.b().receive(200, 0, 64);
        pair.a().post(batch -> batch.send(50).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(50);
        pair.b().received(200);
        pair.a().nothingSent();
        pair.a().nothingReceived();
    }

    private static void closeReturns(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 16; i++) {
            pair.a().receive(100 + i, 0, 64);
        }
        postBlocked(pair, 16);
        pair.a().queuePair().close();
        pair.a().queuePair().close();
        flushed(bench, "send", pair.a().allSent(16), 0);
        flushed(bench, "receive", pair.a().allReceived(16), 100);
        pair.a().nothingSent();
        pair.a().nothingReceived();
    }

    private static void reconnect(Bench bench) {
        Pair.Builder builder = bench.pair(QueuePairType.RC);
        Pair pair = builder.build();
        for (int round = 0; round < 3; round++) {
            pair.a()
                    .post(batch -> batch.write(
                                    1,
                                    pair.b().remote().address(),
                                    pair.b().region().rkey() ^ 0x40)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            pair.a().sent(1, WorkCompletionStatus.REM_ACCESS_ERR);
            // rxe tells of the failure first and fails then: what was reset before that would fail after it.
            for (End end : List.of(pair.a(), pair.b())) {
                end.reaches(QueuePairState.ERROR);
                end.queuePair()
                        .modify(QueuePairAttributes.builder()
                                .state(QueuePairState.RESET)
                                .build());
            }
            builder.connect(pair.a(), pair.b());
            pair.a()
                    .post(batch -> batch.write(2, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            pair.a().sent(2);
        }
    }
}
