package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.DeviceClock;
import dev.doorbell.verbs.InvalidFieldException;
import dev.doorbell.verbs.NotSupportedException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Completions that say when they were made, and what a device says that it has. */
final class ClockCases {
    private ClockCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("device.capabilities")
                        .from("test_device.query_device_ex; ibv_query_device_ex(3)")
                        .runs(ClockCases::capabilities),
                stamps("cq.timestamps.in-order", "ibv_create_cq_ex(3); ibv_query_rt_values_ex(3)", ClockCases::inOrder),
                stamps("cq.timestamps.wallclock", "ibv_create_cq_ex(3)", ClockCases::wallclock),
                stamps("cq.timestamps.resized", "ibv_create_cq_ex(3); ibv_resize_cq(3)", ClockCases::resized),
                stamps("cq.timestamps.only-where-asked-for", "ibv_create_cq_ex(3)", ClockCases::onlyWhereAsked));
    }

    private static ConformanceCase stamps(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.COMPLETION_TIMESTAMP)
                .runs(body);
    }

    private static void capabilities(Bench bench) {
        Context context = bench.a().context();
        for (dev.doorbell.verbs.Capability capability : dev.doorbell.verbs.Capability.values()) {
            bench.check()
                    .equal(
                            capability.name(),
                            context.supports(capability),
                            context.capabilities().contains(capability));
        }
        bench.check().equal("base", context.query(), context.queryExtended().base());
        if (!context.supports(dev.doorbell.verbs.Capability.DEVICE_MEMORY)) {
            bench.check()
                    .thrown("device memory", NotSupportedException.class, () -> context.allocateDeviceMemory(64, 3));
        }
        if (!context.supports(dev.doorbell.verbs.Capability.XRC)) {
            bench.check().thrown("XRC domain", NotSupportedException.class, () -> context.openXrcDomain(-1, 0));
        }
        if (!context.supports(dev.doorbell.verbs.Capability.COMPLETION_TIMESTAMPS)) {
            bench.check()
                    .thrown(
                            "timestamps",
                            NotSupportedException.class,
                            () -> context.completionQueue(8).timestamps().build());
        }
    }

    private static CompletionQueue queue(Bench bench) {
        return bench.a().context().completionQueue(64).timestamps().build();
    }

    private static Pair pair(Bench bench, CompletionQueue queue) {
        Pair pair = bench.pair(QueuePairType.RC)
                .queuePairs(builder -> builder.signalAll())
                .unconnected()
                .build();
        var one = bench.a().domain().queuePair(queue).depth(16, 16).build();
        one.connect(pair.b().queuePair().endpoint());
        pair.b().queuePair().connect(one.endpoint());
        for (int i = 0; i < 4; i++) {
            int id = i;
            try (var batch = one.batch()) {
                batch.write(id, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
                batch.submit();
            }
        }
        return pair;
    }

    private static long[] stamps(Bench bench, CompletionQueue queue, int count) {
        long[] stamps = new long[count];
        int[] came = new int[1];
        queue.await(
                count,
                bench.patience(),
                completion -> stamps[came[0]++] = completion.requireSuccess().timestamp());
        bench.check().equal("completions", count, came[0]);
        return stamps;
    }

    private static void inOrder(Bench bench) {
        CompletionQueue queue = queue(bench);
        DeviceClock before = bench.a().context().queryClock();
        pair(bench, queue);
        long[] stamps = stamps(bench, queue, 4);
        DeviceClock after = bench.a().context().queryClock();
        long last = before.ticks();
        for (long stamp : stamps) {
            bench.check().atLeast("a timestamp", 0, stamp - last);
            last = stamp;
        }
        bench.check().atLeast("the clock afterwards", 0, after.ticks() - last);
    }

    private static void wallclock(Bench bench) {
        long startNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        CompletionQueue queue = queue(bench);
        pair(bench, queue);
        long[] wall = new long[1];
        queue.await(1, bench.patience(), completion -> wall[0] = completion.wallclockNs());
        long endNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + 1);
        long slack = TimeUnit.SECONDS.toNanos(1);
        bench.check().atLeast("time of the completion", startNs - slack, wall[0]);
        bench.check().atMost("time of the completion", endNs + slack, wall[0]);
    }

    private static void resized(Bench bench) {
        CompletionQueue queue = queue(bench);
        pair(bench, queue);
        long[] first = stamps(bench, queue, 1);
        queue.resize(256);
        long[] others = stamps(bench, queue, 3);
        bench.check().atLeast("the timestamp behind the resize", 0, others[0] - first[0]);
    }

    private static void onlyWhereAsked(Bench bench) {
        Pair pair = bench.pair();
        pair.a()
                .post(batch -> batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        long end = System.nanoTime() + bench.patience().toNanos();
        try (CompletionCursor cursor = pair.a().sends().poll()) {
            while (!cursor.next() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            bench.check().thrown("no timestamp", InvalidFieldException.class, cursor::timestamp);
        }
    }
}
