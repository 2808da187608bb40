package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.DeviceUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A device that fails for good: the program is told, everything comes back, and closing works. */
final class DeviceFailureCases {
    private DeviceFailureCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                named("device.failure.event").runs(DeviceFailureCases::event),
                named("device.failure.calls-answer-eio")
                        .needs(Capability.POSTING_SEES_FAILURE)
                        .runs(DeviceFailureCases::calls),
                named("device.failure.work-comes-back").runs(DeviceFailureCases::workComesBack));
    }

    private static ConformanceCase.Builder named(String name) {
        return ConformanceCase.named(name)
                .from("gap: hot unplug; ibv_get_async_event(3): IBV_EVENT_DEVICE_FATAL; EIO")
                .needs(Capability.DEVICE_FAILURE);
    }

    private static void event(Bench bench) {
        bench.check().that("open", bench.b().context().isOpen());
        bench.failB();
        Optional<AsyncEvent> event = bench.b().context().events().await(bench.patience());
        AsyncEvent fatal =
                new AsyncEvent.OfDevice(AsyncEventType.DEVICE_FATAL, bench.b().device());
        bench.check().equal("event", Optional.of(fatal), event);
        bench.check()
                .equal(
                        "further events",
                        Optional.empty(),
                        bench.b().context().events().poll());
    }

    private static void calls(Bench bench) {
        Pair pair = bench.pair();
        bench.failB();
        bench.check().refused("query", "EIO", () -> bench.b().context().query());
        bench.check().refused("create", "EIO", () -> bench.b().context().createCompletionQueue(4));
        bench.check().refused("register", "EIO", () -> bench.b().register(64));
        bench.check()
                .refused(
                        "post",
                        "EIO",
                        () -> pair.b()
                                .post(batch -> batch.send(1)
                                        .sge(pair.b().region(), 0, 8)
                                        .signaled()));
        bench.check()
                .thrown(
                        "open",
                        DeviceUnavailableException.class,
                        () -> bench.b().open());
    }

    private static void workComesBack(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 4; i++) {
            pair.b().receive(100 + i, 0, 64);
        }
        pair.b().post(batch -> {
            for (int i = 0; i < 4; i++) {
                batch.send(i).sge(pair.b().region(), 0, 8).signaled();
            }
        });
        bench.failB();
        pair.b().queuePair().close();
        List<Long> ids = new ArrayList<>();
        for (Completion completion : pair.b().allSent(4)) {
            bench.check().that("a send that failed", !completion.isSuccess());
            ids.add(completion.id());
        }
        for (Completion completion : pair.b().allReceived(4)) {
            bench.check().that("a receive that failed", !completion.isSuccess());
            ids.add(completion.id());
        }
        bench.check().equal("each once", List.of(0L, 1L, 2L, 3L, 100L, 101L, 102L, 103L), ids);
        pair.b().nothingSent();
        pair.b().nothingReceived();
    }
}
