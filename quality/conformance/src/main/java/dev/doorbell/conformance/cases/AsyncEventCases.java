package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.FabricKind;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SharedReceiveQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asynchronous events: each type that a peer or the program itself can provoke, and the object that it concerns. */
final class AsyncEventCases {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration RXE_PATIENCE = Duration.ofSeconds(1);

    private AsyncEventCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                named("async.none").runs(AsyncEventCases::none),
                named("async.communication-established").runs(AsyncEventCases::established),
                named("async.access-error").runs(AsyncEventCases::accessError),
                named("async.request-error").runs(AsyncEventCases::requestError),
                named("async.send-queue-drained").needs(Capability.SQD).runs(AsyncEventCases::drained),
                named("async.no-drained-event-unless-asked")
                        .needs(Capability.SQD)
                        .runs(AsyncEventCases::notAsked),
                named("async.shared-queue-limit").needs(Capability.SRQ).runs(AsyncEventCases::limit),
                named("async.last-request-of-shared-queue")
                        .needs(Capability.SRQ, Capability.LAST_REQUEST_EVENT)
                        .runs(AsyncEventCases::lastRequest),
                named("async.completion-queue-error").runs(AsyncEventCases::overrun),
                named("async.of-closed-object").runs(AsyncEventCases::closedObject),
                named("async.of-another-context").runs(AsyncEventCases::otherContext),
                named("async.close-wakes").runs(AsyncEventCases::closeWakes));
    }

    private static ConformanceCase.Builder named(String name) {
        return ConformanceCase.named(name).from("ibv_get_async_event(3)").needs(Capability.EVENTS);
    }

    private static void expect(Bench bench, AsyncEvent event) {
        bench.check()
                .equal("event", Optional.of(event), bench.b().context().events().await(bench.patience()));
    }

    /** An event that rxe, of all devices, does not raise: it need not be waited for there. */
    private static void expectUnlessRxe(Bench bench, AsyncEvent event) {
        Duration patience = bench.kind() == FabricKind.EMBEDDED ? bench.patience() : RXE_PATIENCE;
        bench.check()
                .answer(
                        "event",
                        Optional.of(event),
                        bench.b().context().events().await(patience),
                        Allowance.rxe(Optional.empty(), "rxe raises no " + event.type()));
    }

    private static void expectNone(Bench bench) {
        bench.check()
                .equal(
                        "further events",
                        Optional.empty(),
                        bench.b().context().events().await(SHORT));
    }

    private static void send(Pair pair, int bytes) {
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, bytes).signaled());
    }

    private static void none(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(1, 0, 64);
        send(pair, 64);
        pair.a().sent(1);
        expectNone(bench);
        bench.check()
                .equal(
                        "the peer's events",
                        Optional.empty(),
                        bench.a().context().events().poll());
    }

    /** Side B is on its way to RTS when the first message comes. */
    private static void established(Bench bench) {
        Pair pair = bench.pair();
        QueuePair receiver = pair.b().queuePair();
        QueuePairAttributes connected = receiver.query();
        receiver.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        receiver.initialize();
        pair.b().receive(1, 0, 64);
        receiver.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(connected.address())
                .pathMtu(connected.pathMtu())
                .destinationQueuePair(connected.destinationQueuePair())
                .receivePsn(connected.receivePsn())
                .maxDestReadAtomic(connected.maxDestReadAtomic())
                .minRnrTimer(connected.minRnrTimer())
                .build());
        send(pair, 64);
        pair.a().sent(1);
        expectUnlessRxe(bench, new AsyncEvent.OfQueuePair(AsyncEventType.COMM_EST, receiver));
        expectNone(bench);
    }

    private static void accessError(Bench bench) {
        Pair pair = bench.pair();
        RemoteMemory there = pair.b().remote();
        RemoteMemory wrong = new RemoteMemory(there.address(), there.length(), there.rkey() ^ 0x40, -1);
        pair.a()
                .post(batch ->
                        batch.write(1, wrong, 0).sge(pair.a().region(), 0, 8).signaled());
        expectUnlessRxe(
                bench,
                new AsyncEvent.OfQueuePair(
                        AsyncEventType.QP_ACCESS_ERR, pair.b().queuePair()));
        pair.b().reaches(QueuePairState.ERROR);
    }

    private static void requestError(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(1, 0, 8);
        send(pair, 64);
        expectUnlessRxe(
                bench,
                new AsyncEvent.OfQueuePair(AsyncEventType.QP_REQ_ERR, pair.b().queuePair()));
        pair.b().reaches(QueuePairState.ERROR);
    }

    private static void drained(Bench bench) {
        Pair pair = bench.pair();
        pair.b()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.SQD)
                        .sqdAsyncNotify(true)
                        .build());
        expect(
                bench,
                new AsyncEvent.OfQueuePair(AsyncEventType.SQ_DRAINED, pair.b().queuePair()));
        expectNone(bench);
    }

    private static void notAsked(Bench bench) {
        Pair pair = bench.pair();
        QueuePair drained = pair.b().queuePair();
        drained.modify(QueuePairAttributes.builder().state(QueuePairState.SQD).build());
        bench.check()
                .answer(
                        "events that nobody asked for",
                        Optional.empty(),
                        bench.b().context().events().await(SHORT),
                        Allowance.rxe(
                                Optional.of(new AsyncEvent.OfQueuePair(AsyncEventType.SQ_DRAINED, drained)),
                                "rxe tells of a drained send queue also unasked"));
    }

    /** A queue pair on side B that takes from a shared queue. */
    private record Sharing(SharedReceiveQueue shared, QueuePair receiver, QueuePair sender) {
        static Sharing of(Bench bench) {
            SharedReceiveQueue shared = bench.b().domain().sharedReceiveQueue(8).build();
            Pair pair = bench.pair(QueuePairType.RC)
                    .atB(receiver -> receiver.sharedReceiveQueue(shared))
                    .build();
            return new Sharing(shared, pair.b().queuePair(), pair.a().queuePair());
        }
    }

    private static void limit(Bench bench) {
        Sharing sharing = Sharing.of(bench);
        var target = bench.b().register(64);
        var source = bench.a().register(64);
        for (int i = 0; i < 8; i++) {
            sharing.shared.postReceive(i, target.slice(0, 64));
        }
        sharing.shared.armLimit(7);
        for (int i = 0; i < 3; i++) {
            sharing.sender.postSend(i, source.slice(0, 64));
            sharing.sender.sendCompletions().awaitSuccess(1, bench.patience());
        }
        expect(bench, new AsyncEvent.OfSharedReceiveQueue(AsyncEventType.SRQ_LIMIT_REACHED, sharing.shared));
        expectNone(bench);
        bench.check().equal("the limit is disarmed", 0, sharing.shared.query().limit());
    }

    private static void lastRequest(Bench bench) {
        Sharing sharing = Sharing.of(bench);
        sharing.receiver.modify(
                QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        expect(bench, new AsyncEvent.OfQueuePair(AsyncEventType.QP_LAST_WQE_REACHED, sharing.receiver));
    }

    private static void overrun(Bench bench) {
        CompletionQueue small = bench.b().completionQueue(1);
        QueuePair receiver = bench.b()
                .domain()
                .queuePair(bench.b().completionQueue(64))
                .receiveCompletions(small)
                .depth(16, 16)
                .allowCompletionQueueOvercommit()
                .build();
        QueuePair sender = bench.a()
                .domain()
                .queuePair(bench.a().completionQueue(64))
                .depth(16, 16)
                .build();
        sender.connect(receiver.endpoint());
        receiver.connect(sender.endpoint());
        var target = bench.b().register(64);
        var source = bench.a().register(64);
        for (int i = 0; i <= small.capacity(); i++) {
            receiver.postReceive(i, target.slice(0, 64));
            sender.postSend(i, source.slice(0, 64));
        }
        AsyncEvent wanted = new AsyncEvent.OfCompletionQueue(AsyncEventType.CQ_ERR, small);
        Optional<AsyncEvent> event = bench.b().context().events().await(bench.patience());
        while (event.isPresent() && !event.get().equals(wanted)) {
            event = bench.b().context().events().await(bench.patience());
        }
        bench.check().equal("event of the queue", Optional.of(wanted), event);
    }

    private static void closedObject(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(1, 0, 8);
        send(pair, 64);
        bench.check().that("the send failed", !pair.a().nextSent().isSuccess());
        pair.b().queuePair().close();
        expectNone(bench);
    }

    private static void otherContext(Bench bench) {
        Pair pair = bench.pair();
        var other = bench.b().open();
        pair.b().receive(1, 0, 8);
        send(pair, 64);
        expectUnlessRxe(
                bench,
                new AsyncEvent.OfQueuePair(AsyncEventType.QP_REQ_ERR, pair.b().queuePair()));
        bench.check().equal("events elsewhere", Optional.empty(), other.events().await(SHORT));
    }

    private static void closeWakes(Bench bench) throws InterruptedException {
        var context = bench.b().open();
        var outcome = new java.util.concurrent.atomic.AtomicReference<Object>("nothing");
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                outcome.set(context.events().await(bench.patience()));
            } catch (ClosedException e) {
                outcome.set(ClosedException.class);
            }
        });
        while (waiter.getState() != Thread.State.TIMED_WAITING && waiter.isAlive()) {
            Thread.yield();
        }
        context.close();
        bench.check().that("the waiter ends", waiter.join(bench.patience()));
        bench.check().equal("what it got", ClosedException.class, outcome.get());
    }
}
