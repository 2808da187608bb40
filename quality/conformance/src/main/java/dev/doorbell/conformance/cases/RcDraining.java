package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.List;

/** Draining the send queue of a reliable connection. */
final class RcDraining {
    private static final String ALWAYS = "rxe reports every drained send queue, asked or not";

    private RcDraining() {}

    static List<ConformanceCase> cases() {
        return List.of(
                sqd(
                        "posts-wait",
                        "gap: modify to SQD; ibv_modify_qp(3); rule 3.9",
                        RcDraining::postsWait,
                        Capability.SQD_RESUMES),
                sqd("outstanding-work-completes", "rule 3.9", RcDraining::outstanding, Capability.SQD_RETRY),
                sqd(
                        "event",
                        "IBV_EVENT_SQ_DRAINED; rule 3.9",
                        RcDraining::event,
                        Capability.EVENTS,
                        Capability.SQD_RETRY),
                sqd("no-event-unless-asked", "en_sqd_async_notify; rule 3.9", RcDraining::noEvent, Capability.EVENTS),
                sqd("receives-go-on", "rule 3.9", RcDraining::receivesGoOn),
                sqd("changes-attributes", "ibv_modify_qp(3): SQD to SQD", RcDraining::changesAttributes),
                sqd("error-flushes-what-waits", "rule 3.8", RcDraining::errorFlushes),
                sqd(
                        "busy-stays",
                        "ibv_modify_qp(3): EINVAL while draining",
                        RcDraining::busyStays,
                        Capability.SQD_RETRY));
    }

    private static ConformanceCase sqd(String name, String from, CaseBody body, Capability... besides) {
        return ConformanceCase.named("rc.sqd." + name)
                .from(from)
                .needs(Capability.SQD)
                .needs(besides)
                .runs(body);
    }

    private static void to(End end, QueuePairState state) {
        end.queuePair().modify(QueuePairAttributes.builder().state(state).build());
    }

    private static void drain(End end, boolean notify) {
        end.queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.SQD)
                        .sqdAsyncNotify(notify)
                        .build());
    }

    private static void write(Pair pair, long id) {
        pair.a()
                .post(batch -> batch.write(id, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
    }

    private static void postsWait(Bench bench) {
        Pair pair = bench.pair();
        Bytes.setLong(pair.a().memory(), 0, 7);
        to(pair.a(), QueuePairState.SQD);
        bench.check()
                .equal("state", QueuePairState.SQD, pair.a().queuePair().query().state());
        write(pair, 1);
        write(pair, 2);
        pair.a().nothingSent();
        bench.check().equal("the peer's memory", 0, Bytes.longAt(pair.b().memory(), 0));
        to(pair.a(), QueuePairState.RTS);
        pair.a().sent(1);
        pair.a().sent(2);
        bench.check().equal("the peer's memory", 7, Bytes.longAt(pair.b().memory(), 0));
    }

    private static void outstanding(Bench bench) {
        Pair pair = bench.pair();
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        to(pair.a(), QueuePairState.SQD);
        write(pair, 2);
        pair.b().receive(21, 0, 8);
        pair.a().sent(1);
        pair.b().received(21);
        pair.a().nothingSent();
    }

    private static List<AsyncEvent> events(Bench bench, End end) {
        List<AsyncEvent> events = new ArrayList<>();
        end.side().context().events().await(bench.patience().dividedBy(100)).ifPresent(events::add);
        return events;
    }

    private static void event(Bench bench) {
        Pair pair = bench.pair();
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        drain(pair.a(), true);
        bench.check()
                .that(
                        "not drained yet",
                        pair.a().side().context().events().poll().isEmpty());
        pair.b().receive(21, 0, 8);
        pair.a().sent(1);
        bench.check()
                .equal(
                        "event",
                        List.of(new AsyncEvent.OfQueuePair(
                                AsyncEventType.SQ_DRAINED, pair.a().queuePair())),
                        events(bench, pair.a()));
        to(pair.a(), QueuePairState.RTS);
        write(pair, 2);
        pair.a().sent(2);
    }

    private static void noEvent(Bench bench) {
        Pair pair = bench.pair();
        write(pair, 1);
        pair.a().sent(1);
        drain(pair.a(), false);
        bench.check()
                .answer(
                        "events",
                        List.of(),
                        events(bench, pair.a()),
                        Allowance.rxe(
                                List.of(new AsyncEvent.OfQueuePair(
                                        AsyncEventType.SQ_DRAINED, pair.a().queuePair())),
                                ALWAYS));
    }

    private static void receivesGoOn(Bench bench) {
        Pair pair = bench.pair();
        to(pair.b(), QueuePairState.SQD);
        pair.b().receive(21, 0, 8);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(1);
        pair.b().received(21);
        write(pair, 2);
        pair.a().sent(2);
    }

    private static void changesAttributes(Bench bench) {
        Pair pair = bench.pair();
        to(pair.a(), QueuePairState.SQD);
        pair.a().drains();
        pair.a()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.SQD)
                        .retryCount(3)
                        .rnrRetry(2)
                        .timeout(15)
                        .build());
        QueuePairAttributes found = pair.a().queuePair().query();
        bench.check().equal("state", QueuePairState.SQD, found.state());
        bench.check().equal("retry count", 3, found.retryCount());
        bench.check().equal("RNR retry", 2, found.rnrRetry());
        bench.check().equal("timeout", 15, found.timeout());
        bench.check()
                .refused(
                        "a PSN",
                        "EINVAL",
                        () -> pair.a()
                                .queuePair()
                                .modify(QueuePairAttributes.builder()
                                        .state(QueuePairState.SQD)
                                        .sendPsn(1)
                                        .build()));
    }

    private static void errorFlushes(Bench bench) {
        Pair pair = bench.pair();
        to(pair.a(), QueuePairState.SQD);
        write(pair, 1);
        write(pair, 2);
        to(pair.a(), QueuePairState.ERROR);
        pair.a().sent(1, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static void busyStays(Bench bench) {
        Pair pair = bench.pair();
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        to(pair.a(), QueuePairState.SQD);
        bench.check().refused("resume", "EINVAL", () -> to(pair.a(), QueuePairState.RTS));
        bench.check()
                .equal("state", QueuePairState.SQD, pair.a().queuePair().query().state());
        pair.b().receive(21, 0, 8);
        pair.a().sent(1);
        to(pair.a(), QueuePairState.RTS);
    }
}
