package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.InvalidFieldException;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.WorkCompletion;
import dev.doorbell.verbs.WorkCompletionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Completion queues, as pyverbs' test_cq and test_cqex use them. */
final class CompletionQueueCases {
    private CompletionQueueCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("cq.sizes-and-vectors")
                        .from("test_cq.create_cq; ibv_create_cq(3)")
                        .runs(CompletionQueueCases::create),
                ConformanceCase.named("cq.too-many-entries")
                        .from("test_cq.create_cq_bad_flow, test_cqex.create_cq_ex_bad_flow: EINVAL")
                        .runs(CompletionQueueCases::tooMany),
                ConformanceCase.named("cq.no-such-vector")
                        .from("test_cq.create_cq_bad_flow, test_cqex.create_cq_ex_bad_flow: EINVAL")
                        .runs(CompletionQueueCases::noVector),
                ConformanceCase.named("cq.close-twice")
                        .from("ibv_destroy_cq(3)")
                        .runs(CompletionQueueCases::closeTwice),
                ConformanceCase.named("cq.busy-with-queue-pair")
                        .from("ibv_destroy_cq(3): EBUSY")
                        .runs(CompletionQueueCases::busy),
                ConformanceCase.named("cq.use-after-close")
                        .from("ibv_destroy_cq(3)")
                        .runs(CompletionQueueCases::useAfterClose),
                ConformanceCase.named("cq.empty")
                        .from("ibv_poll_cq(3): 0 completions")
                        .runs(CompletionQueueCases::empty),
                ConformanceCase.named("cq.traffic-with-every-field")
                        .from("test_cqex.rc_traffic_cq_ex; ibv_wc_read_*(3)")
                        .runs(CompletionQueueCases::everyField),
                ConformanceCase.named("cq.fields-of-a-failure")
                        .from("ibv_poll_cq(3): wr_id, status, qp_num and vendor_err only")
                        .runs(CompletionQueueCases::failedFields),
                ConformanceCase.named("cq.shared-by-two-queue-pairs")
                        .from("ibv_create_qp(3)")
                        .runs(CompletionQueueCases::shared),
                ConformanceCase.named("cq.wraps")
                        .from("ibv_poll_cq(3): many times its size")
                        .runs(CompletionQueueCases::wraps),
                ConformanceCase.named("cq.outlives-queue-pair")
                        .from("ibv_destroy_qp(3): completions stay")
                        .needs(Capability.COMPLETIONS_OUTLIVE_QUEUE_PAIR)
                        .runs(CompletionQueueCases::outlives),
                ConformanceCase.named("cq.overcommit-refused")
                        .from("ibv_create_qp(3), ibv_create_cq(3): room for every completion")
                        .runs(CompletionQueueCases::overcommit));
    }

    private static void create(Bench bench) {
        Context context = bench.a().context();
        int most = context.query().maxCompletions();
        int vectors = context.completionVectors();
        for (int entries : new int[] {1, 2, 100, most / 2, most}) {
            for (int vector : new LinkedHashSet<>(List.of(0, Math.min(1, vectors - 1), vectors - 1))) {
                try (CompletionQueue queue =
                        context.completionQueue(entries).vector(vector).build()) {
                    bench.check().atLeast("capacity", entries, queue.capacity());
                    bench.check().equal("vector", vector, queue.vector());
                    bench.check().equal("committed", 0, queue.committed());
                }
            }
        }
    }

    private static void tooMany(Bench bench) {
        Context context = bench.a().context();
        int most = context.query().maxCompletions();
        for (int entries : new int[] {0, -1, most + 1, Integer.MAX_VALUE}) {
            bench.check().refused(entries + " entries", "EINVAL", () -> context.createCompletionQueue(entries));
        }
    }

    private static void noVector(Bench bench) {
        Context context = bench.a().context();
        for (int vector : new int[] {-1, context.completionVectors(), Integer.MAX_VALUE}) {
            bench.check()
                    .refused(
                            "vector " + vector,
                            "EINVAL",
                            () -> context.completionQueue(16).vector(vector).build());
        }
    }

    private static void closeTwice(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        queue.close();
        queue.close();
    }

    private static void busy(Bench bench) {
        Pair pair = bench.pair();
        bench.check().refused("close", "EBUSY", pair.a().sends()::close);
        bench.check().refused("close", "EBUSY", pair.a().receives()::close);
        pair.a().queuePair().close();
        pair.a().sends().close();
        pair.a().receives().close();
    }

    private static void useAfterClose(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        queue.close();
        bench.check().thrown("poll", ClosedException.class, queue::poll);
        bench.check().thrown("poll", ClosedException.class, () -> queue.poll(1, WorkCompletion::requireSuccess));
        bench.check()
                .thrown(
                        "create a queue pair",
                        ClosedException.class,
                        () -> bench.a().domain().queuePair(queue).depth(1, 1).build());
    }

    private static void empty(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        bench.check().equal("completions", 0, queue.poll(16, completion -> {}));
        bench.check().equal("completions in a millisecond", 0, queue.await(1, Duration.ofMillis(1), completion -> {}));
        try (CompletionCursor poll = queue.poll()) {
            bench.check().that("nothing", !poll.next());
            bench.check().thrown("a field of nothing", VerbsException.class, poll::id);
        }
    }

    private static void everyField(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 20; i++) {
            int id = i;
            pair.b().receive(100 + id, 0, 2000);
            pair.a()
                    .post(batch -> batch.sendWithImmediate(id, 0x0102_0304 + id)
                            .sge(pair.a().region(), 0, 1000 + id)
                            .signaled());
            pair.a().sent(id);
            int came = pair.b().receives().await(1, bench.patience(), completion -> {
                bench.check().equal("id", 100 + id, completion.id());
                bench.check().that("success", completion.isSuccess());
                bench.check().equal("status code", 0, completion.statusCode());
                bench.check().equal("vendor error", 0, completion.vendorError());
                bench.check().equal("queue pair", pair.b().queuePair().number(), completion.queuePairNumber());
                bench.check().equal("opcode", WorkCompletionOpcode.RECV, completion.opcode());
                bench.check().equal("bytes", 1000 + id, completion.byteLength());
                bench.check().that("immediate data", completion.hasImmediate());
                bench.check().that("flag", (completion.flags() & WorkCompletionFlag.WITH_IMM.bit()) != 0);
                bench.check().equal("immediate data", 0x0102_0304 + id, completion.immediate());
                bench.check().thrown("no rkey", InvalidFieldException.class, completion::invalidatedRkey);
            });
            bench.check().equal("completions", 1, came);
        }
    }

    private static void failedFields(Bench bench) {
        Pair pair = bench.pair();
        pair.a()
                .post(batch -> batch.write(
                                77,
                                pair.b().remote().address(),
                                pair.b().region().rkey() ^ 0x40)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        int came = pair.a().sends().await(1, bench.patience(), completion -> {
            bench.check().equal("id", 77, completion.id());
            bench.check().that("failed", !completion.isSuccess());
            bench.check().equal("queue pair", pair.a().queuePair().number(), completion.queuePairNumber());
            bench.check().thrown("opcode", InvalidFieldException.class, completion::opcode);
            bench.check().thrown("bytes", InvalidFieldException.class, completion::byteLength);
            bench.check().thrown("flags", InvalidFieldException.class, completion::flags);
            bench.check().thrown("immediate data", InvalidFieldException.class, completion::immediate);
            bench.check().thrown("success", WorkCompletionException.class, completion::requireSuccess);
        });
        bench.check().equal("completions", 1, came);
    }

    private static void shared(Bench bench) {
        CompletionQueue one = bench.a().completionQueue(256);
        QueuePair.Builder described = bench.a().domain().queuePair(one).depth(16, 16);
        QueuePair left = described.build();
        QueuePair right = described.build();
        bench.check().equal("committed", 64, one.committed());
        bench.check().that("different numbers", left.number() != right.number());
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        MemoryRegion region = bench.a().register(64);
        right.postReceive(2, region.slice(32, 32));
        left.postSend(1, region.slice(0, 32));
        Map<Long, Integer> came = new HashMap<>();
        one.await(2, bench.patience(), completion -> {
            completion.requireSuccess();
            came.put(completion.id(), completion.queuePairNumber());
        });
        bench.check().equal("who completed", Map.of(1L, left.number(), 2L, right.number()), came);
        left.close();
        right.close();
        bench.check().equal("committed", 0, one.committed());
    }

    private static void wraps(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .completions(8)
                .queuePairs(builder -> builder.depth(4, 4))
                .build();
        int rounds = 4 * pair.a().sends().capacity() + 3;
        for (int i = 0; i < rounds; i++) {
            int id = i;
            pair.b().receive(id, 0, 8);
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
            pair.a().sent(id);
            pair.b().received(id);
        }
    }

    private static void outlives(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(9, 0, 8);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(1);
        // The message has arrived, as it was acknowledged; its completion is there and is not taken.
        pair.b().queuePair().close();
        Completion completion = pair.b().received(9);
        bench.check().equal("bytes", 8, completion.byteLength());
        pair.b().nothingReceived();
    }

    private static void overcommit(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        int capacity = queue.capacity();
        bench.check()
                .refused(
                        "one completion too many",
                        "ENOSPC",
                        () -> bench.a()
                                .domain()
                                .queuePair(queue)
                                .depth(capacity, 1)
                                .build());
        bench.check().equal("committed", 0, queue.committed());
        bench.a().domain().queuePair(queue).depth(capacity - 1, 1).build();
        bench.check().equal("committed", capacity, queue.committed());
    }
}
