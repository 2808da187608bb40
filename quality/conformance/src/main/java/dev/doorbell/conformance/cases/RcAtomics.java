package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.Completion;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Compare and swap, fetch and add. */
final class RcAtomics {
    private RcAtomics() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.atomic.fetch-add")
                        .from("test_atomic.atomic_fetch_and_add; test_qpex.rc_atomic_fetch_add; rule 3.7")
                        .runs(RcAtomics::fetchAdd),
                ConformanceCase.named("rc.atomic.fetch-add-wraps")
                        .from("rule 3.7")
                        .runs(RcAtomics::fetchAddWraps),
                ConformanceCase.named("rc.atomic.compare-swap-match")
                        .from("test_atomic.atomic_cmp_and_swap; test_qpex.rc_atomic_cmp_swp; rule 3.7")
                        .runs(bench -> compareSwap(bench, true)),
                ConformanceCase.named("rc.atomic.compare-swap-mismatch")
                        .from("test_atomic.atomic_cmp_and_swap; rule 3.7")
                        .runs(bench -> compareSwap(bench, false)),
                ConformanceCase.named("rc.atomic.two-queue-pairs-add-up")
                        .from("rule 3.7: atomic among the queue pairs of a device")
                        .runs(RcAtomics::twoQueuePairs),
                ConformanceCase.named("rc.atomic.unaligned-refused")
                        .from("test_atomic.atomic_non_aligned_addr; ibv_post_send(3)")
                        .runs(RcAtomics::unaligned),
                ConformanceCase.named("rc.atomic.length-not-eight-refused")
                        .from("ibv_post_send(3)")
                        .runs(RcAtomics::wrongLength));
    }

    private static void fetchAdd(Bench bench) {
        Pair pair = bench.pair();
        long value = bench.draw().anyLong();
        Bytes.setLong(pair.b().memory(), 64, value);
        for (int i = 0; i < 10; i++) {
            long addend = bench.draw().anyLong();
            int id = i;
            pair.a()
                    .post(batch -> batch.fetchAndAdd(id, pair.b().remote(), 64, addend)
                            .sge(pair.a().region(), 8, 8)
                            .signaled());
            checkFetched(bench, pair, id, WorkCompletionOpcode.FETCH_ADD, value);
            value += addend;
            bench.check().equal("the sum", value, Bytes.longAt(pair.b().memory(), 64));
        }
        checkNeighbours(bench, pair);
    }

    private static void fetchAddWraps(Bench bench) {
        Pair pair = bench.pair();
        Bytes.setLong(pair.b().memory(), 64, -1);
        pair.a()
                .post(batch -> batch.fetchAndAdd(1, pair.b().remote(), 64, 2)
                        .sge(pair.a().region(), 8, 8)
                        .signaled());
        checkFetched(bench, pair, 1, WorkCompletionOpcode.FETCH_ADD, -1);
        bench.check().equal("the sum", 1, Bytes.longAt(pair.b().memory(), 64));
        checkNeighbours(bench, pair);
    }

    private static void compareSwap(Bench bench, boolean match) {
        Pair pair = bench.pair();
        long value = bench.draw().anyLong();
        Bytes.setLong(pair.b().memory(), 64, value);
        for (int i = 0; i < 10; i++) {
            long replacement = bench.draw().anyLong();
            long compared = match ? value : value ^ 1L << bench.draw().intIn(0, 63);
            int id = i;
            pair.a()
                    .post(batch -> batch.compareAndSwap(id, pair.b().remote(), 64, compared, replacement)
                            .sge(pair.a().region(), 8, 8)
                            .signaled());
            checkFetched(bench, pair, id, WorkCompletionOpcode.COMP_SWAP, value);
            value = match ? replacement : value;
            bench.check().equal("what is there", value, Bytes.longAt(pair.b().memory(), 64));
        }
        checkNeighbours(bench, pair);
    }

    private static void checkFetched(Bench bench, Pair pair, long id, WorkCompletionOpcode opcode, long original) {
        Completion completion = pair.a().sent(id);
        bench.check().equal("opcode", opcode, completion.opcode());
        bench.check().equal("bytes fetched", 8, completion.byteLength());
        bench.check()
                .equal("what was there before", original, Bytes.longAt(pair.a().memory(), 8));
    }

    private static void checkNeighbours(Bench bench, Pair pair) {
        bench.check().equal("bytes before the target", 0, Bytes.longAt(pair.b().memory(), 56));
        bench.check().equal("bytes behind the target", 0, Bytes.longAt(pair.b().memory(), 72));
        bench.check().equal("bytes before the result", 0, Bytes.longAt(pair.a().memory(), 0));
        bench.check().equal("bytes behind the result", 0, Bytes.longAt(pair.a().memory(), 16));
    }

    private static void unaligned(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).build();
        for (int offset = 1; offset < 8; offset++) {
            int at = offset;
            bench.check()
                    .refused(
                            "fetch and add at offset " + at,
                            "EINVAL",
                            () -> pair.a()
                                    .post(batch -> batch.fetchAndAdd(1, pair.b().remote(), at, 1)
                                            .sge(pair.a().region(), 8, 8)
                                            .signaled()));
            bench.check()
                    .refused(
                            "compare and swap at offset " + at,
                            "EINVAL",
                            () -> pair.a()
                                    .post(batch -> batch.compareAndSwap(
                                                    1, pair.b().remote(), at, 0, 1)
                                            .sge(pair.a().region(), 8, 8)
                                            .signaled()));
        }
        bench.check().equal("the target", 0, Bytes.longAt(pair.b().memory(), 0));
    }

    private static void wrongLength(Bench bench) {
        Pair pair = bench.pair();
        for (int bytes : new int[] {0, 1, 4, 7, 9, 16}) {
            bench.check()
                    .refused(
                            "fetch and add of " + bytes + " bytes",
                            "EINVAL",
                            () -> pair.a()
                                    .post(batch -> batch.fetchAndAdd(1, pair.b().remote(), 0, 1)
                                            .sge(pair.a().region(), 8, bytes)
                                            .signaled()));
        }
    }

    private static void twoQueuePairs(Bench bench) throws Exception {
        int rounds = 2000;
        Pair.Builder builder = bench.pair(QueuePairType.RC);
        Pair first = builder.build();
        Pair second = builder.build();
        FutureTask<Void> other = new FutureTask<>(() -> addOnes(second, first, rounds), null);
        Thread.ofPlatform().daemon().name("adder of a case").start(other);
        addOnes(first, first, rounds);
        other.get(bench.patience().toMillis(), TimeUnit.MILLISECONDS);
        bench.check().equal("the sum", 2L * rounds, Bytes.longAt(first.b().memory(), 0));
    }

    private static void addOnes(Pair pair, Pair target, int rounds) {
        for (int i = 0; i < rounds; i += 8) {
            pair.a().post(batch -> {
                for (int k = 0; k < 8; k++) {
                    batch.fetchAndAdd(k, target.b().remote(), 0, 1).sge(pair.a().region(), 8, 8);
                }
                batch.signaled();
            });
            pair.a().sent(7);
        }
    }
}
