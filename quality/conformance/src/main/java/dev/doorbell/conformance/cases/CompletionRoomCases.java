package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** How much a completion queue holds: sizes that change, and what happens to what does not fit. */
final class CompletionRoomCases {
    private CompletionRoomCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("cq.resize.grow-and-shrink")
                        .from("test_cq.resize_cq; ibv_resize_cq(3); rule 3.17")
                        .needs(Capability.RESIZE_CQ)
                        .runs(CompletionRoomCases::growAndShrink),
                ConformanceCase.named("cq.resize.below-what-waits")
                        .from("test_cq.resize_cq: EINVAL; rule 3.17")
                        .needs(Capability.RESIZE_CQ)
                        .runs(CompletionRoomCases::belowWhatWaits),
                ConformanceCase.named("cq.resize.sizes-refused")
                        .from("ibv_resize_cq(3): EINVAL")
                        .needs(Capability.RESIZE_CQ)
                        .runs(CompletionRoomCases::sizesRefused),
                ConformanceCase.named("cq.resize.below-what-is-committed")
                        .from("ibv_resize_cq(3), ibv_create_qp(3): room for every completion")
                        .needs(Capability.RESIZE_CQ)
                        .runs(CompletionRoomCases::belowCommitted),
                ConformanceCase.named("cq.resize.under-traffic")
                        .from("ibv_resize_cq(3): no completion is lost; rule 3.17")
                        .needs(Capability.RESIZE_CQ)
                        .runs(CompletionRoomCases::underTraffic),
                ConformanceCase.named("cq.overflow.receives")
                        .from("gap: CQ overflow; IBV_EVENT_CQ_ERR; rule 3.17")
                        .needs(Capability.EVENTS)
                        .runs(CompletionRoomCases::overflow));
    }

    private static List<Long> ids(List<Completion> completions) {
        return completions.stream().map(Completion::id).toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    /** Writes, one after the other, so that the completions of all but the last wait when the last has come. */
    private static void write(Pair pair, long first, long last) {
        for (long id = first; id <= last; id++) {
            long each = id;
            pair.a()
                    .post(batch -> batch.write(each, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
        }
    }

    private static Pair small(Bench bench) {
        return bench.pair(QueuePairType.RC)
                .completions(64)
                .queuePairs(builder -> builder.depth(8, 1))
                .build();
    }

    private static void growAndShrink(Bench bench) {
        Pair pair = small(bench);
        CompletionQueue queue = pair.a().sends();
        write(pair, 1, 5);
        queue.resize(200);
        bench.check().atLeast("capacity", 200, queue.capacity());
        bench.check().equal("completions", range(1, 5), ids(pair.a().allSent(5)));
        write(pair, 6, 9);
        pair.a().sent(6);
        queue.resize(16);
        bench.check().atLeast("capacity", 16, queue.capacity());
        write(pair, 10, 13);
        bench.check().equal("completions", range(7, 13), ids(pair.a().allSent(7)));
        pair.a().nothingSent();
    }

    /** Three times as many completions wait as the queue is to hold; it is overcommitted, or that would be refused before. */
    private static void belowWhatWaits(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(7);
        QueuePair.Builder described =
                bench.a().domain().queuePair(queue).depth(8, 8).allowCompletionQueueOvercommit();
        QueuePair left = described.build();
        QueuePair right = described.build();
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        var region = bench.a().register(64);
        // Flushed work requests complete at once and in order.
        for (int id = 1; id <= 6; id++) {
            right.postReceive(id, region.slice(0, 8));
        }
        if (bench.has(Capability.COMPLETIONS_OUTLIVE_QUEUE_PAIR)) {
            right.close();
        } else {
            right.modify(
                    QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        }
        bench.check().refused("resize", "EINVAL", () -> queue.resize(2));
        List<Completion> completions = new ArrayList<>();
        queue.await(6, bench.patience(), completion -> completions.add(completion.copy()));
        bench.check().equal("completions", range(1, 6), ids(completions));
        queue.resize(2);
    }

    private static void sizesRefused(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        int most = bench.a().context().query().maxCompletions();
        for (int entries : new int[] {0, -1, most + 1}) {
            bench.check().refused(entries + " entries", "EINVAL", () -> queue.resize(entries));
        }
        queue.resize(most);
        bench.check().equal("capacity", most, queue.capacity());
        queue.resize(1);
        bench.check().atLeast("capacity", 1, queue.capacity());
    }

    private static void belowCommitted(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(16);
        QueuePair queuePair = bench.a().domain().queuePair(queue).depth(8, 6).build();
        bench.check().refused("resize", "ENOSPC", () -> queue.resize(13));
        queue.resize(14);
        queuePair.close();
        queue.resize(4);
    }

    private static void underTraffic(Bench bench) {
        Pair pair = small(bench);
        long next = 1;
        for (int round = 0; round < 60; round++) {
            write(pair, next, next + 6);
            pair.a().sends().resize(8 << bench.draw().intIn(0, 4));
            bench.check()
                    .equal("completions", range(next, next + 6), ids(pair.a().allSent(7)));
            next += 7;
        }
        pair.a().nothingSent();
    }

    private static void overflow(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(1).ackTimeout(Duration.ofMillis(20)))
                .completions(3)
                .queuePairs(builder -> builder.depth(3, 8).allowCompletionQueueOvercommit())
                .build();
        End b = pair.b();
        int holds = b.receives().capacity();
        for (int id = 0; id <= holds; id++) {
            b.receive(id, 0, 8);
        }
        for (int sent = 0; sent < holds; sent++) {
            int id = sent;
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
            pair.a().sent(id);
        }
        pair.a().post(batch -> batch.send(holds).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(holds, WorkCompletionStatus.RETRY_EXC_ERR);
        AsyncEvent event;
        do {
            event = b.side()
                    .context()
                    .events()
                    .await(bench.patience())
                    .orElseThrow(() -> bench.check().failure("no CQ_ERR came"));
        } while (event.type() != AsyncEventType.CQ_ERR);
        bench.check().equal("event", new AsyncEvent.OfCompletionQueue(AsyncEventType.CQ_ERR, b.receives()), event);
        bench.check().equal("state", QueuePairState.ERROR, b.queuePair().query().state());
        bench.check().equal("what fitted", range(0, holds - 1), ids(b.allReceived(holds)));
    }
}
