package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.LinkFaults.Packets;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Receivers that are not ready, and peers that do not answer: how often it is tried again, and how it ends. */
final class RcRetries {
    private RcRetries() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            if (kind.takesReceive()) {
                cases.add(ConformanceCase.named("rc." + kind.label() + ".waits-for-receive")
                        .from("ibv_modify_qp(3): rnr_retry 7; rule 3.3")
                        .runs(bench -> waits(bench, kind)));
                cases.add(ConformanceCase.named("rc." + kind.label() + ".receiver-never-ready")
                        .from("gap: RNR retry exhaustion; rule 3.3")
                        .runs(bench -> neverReady(bench, kind)));
            }
        }
        cases.add(ConformanceCase.named("rc.rnr.retries-take-their-time")
                .from("gap: RNR retry exhaustion; ibv_modify_qp(3): rnr_retry, min_rnr_timer; rule 3.3")
                .runs(RcRetries::receiverTime));
        cases.add(ConformanceCase.named("rc.rnr.count-starts-again")
                .from("rule 3.3")
                .runs(RcRetries::countStartsAgain));
        cases.add(ConformanceCase.named("rc.rnr.write-needs-no-receive")
                .from("rule 3.5")
                .runs(RcRetries::writeNeedsNone));
        cases.add(ConformanceCase.named("rc.retry.peer-in-init")
                .from("gap: retry-count errors; ibv_modify_qp(3): timeout, retry_cnt; rule 3.3")
                .runs(RcRetries::peerNotThere));
        cases.add(ConformanceCase.named("rc.retry.peer-closed")
                .from("gap: retry-count errors; rule 3.3")
                .runs(RcRetries::peerClosed));
        cases.add(ConformanceCase.named("rc.retry.all-lost")
                .from("gap: retry-count errors; rule 3.3")
                .needs(Capability.FAULTS)
                .runs(RcRetries::allLost));
        return cases;
    }

    private static void waits(Bench bench, MessageKind kind) {
        Pair pair = bench.pair();
        for (int i = 0; i < 3; i++) {
            int id = i;
            pair.a()
                    .post(batch -> kind.open(batch, id, pair.b().remote(), 0, 7)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            pair.a().nothingSent();
            pair.b().receive(10 + id, 64, 64);
            pair.a().sent(id);
            pair.b().received(10 + id);
        }
    }

    private static void neverReady(Bench bench, MessageKind kind) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.rnrRetry(1).rnrTimer(Duration.ofMillis(1)))
                .build();
        pair.a().memory().fill((byte) 1);
        pair.a().post(batch -> {
            kind.open(batch, 1, pair.b().remote(), 0, 7)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
            batch.write(2, pair.b().remote(), 0).sge(pair.a().region(), 0, 8);
        });
        pair.a().sent(1, WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.a().reaches(QueuePairState.ERROR);
        bench.check().equal("the peer's memory", 0, Bytes.longAt(pair.b().memory(), 0));
    }

    private static void receiverTime(Bench bench) {
        for (int retries : new int[] {0, 2, 5}) {
            Pair pair = bench.pair(QueuePairType.RC)
                    .options(options -> options.rnrRetry(retries).rnrTimer(Duration.ofMillis(10)))
                    .build();
            long start = System.nanoTime();
            pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
            pair.a().sent(1, WorkCompletionStatus.RNR_RETRY_EXC_ERR);
            long took = System.nanoTime() - start;
            bench.check()
                    .atLeast(
                            "microseconds until " + retries + " retries of at least 10 ms were used up",
                            10_000L * retries,
                            took / 1000);
            pair.a().queuePair().close();
        }
    }

    private static void countStartsAgain(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.rnrRetry(6).rnrTimer(Duration.ofMillis(40)))
                .build();
        // Each message waits at least once; together more often than one count has.
        for (int i = 0; i < 8; i++) {
            int id = i;
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
            pair.b().receive(10 + id, 64, 64);
            pair.a().sent(id);
            pair.b().received(10 + id);
        }
    }

    private static void writeNeedsNone(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.rnrRetry(0))
                .build();
        pair.a().post(batch -> {
            batch.write(1, pair.b().remote(), 0).sge(pair.a().region(), 0, 8).signaled();
            batch.read(2, pair.b().remote(), 0).sge(pair.a().region(), 0, 8).signaled();
            batch.fetchAndAdd(3, pair.b().remote(), 0, 1)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
        });
        for (int i = 1; i <= 3; i++) {
            pair.a().sent(i);
        }
    }

    private static void peerNotThere(Bench bench) {
        Pair.Builder builder = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(2).ackTimeout(Duration.ofMillis(16)))
                .unconnected();
        Pair pair = builder.build();
        builder.connectOneWay(pair.a(), pair.b());
        pair.b().queuePair().initialize();
        pair.b().receive(9, 0, 64);
        exhausts(bench, pair, 3 * 16);
    }

    private static void peerClosed(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(1).ackTimeout(Duration.ofMillis(16)))
                .build();
        pair.b().queuePair().close();
        exhausts(bench, pair, 2 * 16);
    }

    private static void allLost(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(3).ackTimeout(Duration.ofMillis(8)))
                .build();
        bench.faults().drop(Packets.REQUEST, 0, Integer.MAX_VALUE);
        pair.b().receive(9, 0, 64);
        exhausts(bench, pair, 4 * 8);
        pair.b().nothingReceived();
    }

    private static void exhausts(Bench bench, Pair pair, long leastMillis) {
        long start = System.nanoTime();
        pair.a().post(batch -> {
            batch.send(1).sge(pair.a().region(), 0, 8).signaled();
            batch.send(2).sge(pair.a().region(), 0, 8).signaled();
        });
        pair.a().sent(1, WorkCompletionStatus.RETRY_EXC_ERR);
        long took = System.nanoTime() - start;
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        bench.check().atLeast("milliseconds until all tries were used up", leastMillis, took / 1_000_000);
        pair.a().reaches(QueuePairState.ERROR);
    }
}
