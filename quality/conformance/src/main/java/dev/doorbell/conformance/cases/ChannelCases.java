package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WaitPolicy;
import dev.doorbell.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Completion channels, as pyverbs' test_cq_events uses them, and what the C library's manual says of arming. */
final class ChannelCases {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int MESSAGE = 64;

    private ChannelCases() {}

    /** A receiver on side B whose receives complete on a channel, and its sender on side A. */
    private record Line(Bench bench, QueuePair sender, QueuePair receiver, CompletionQueue received) {
        static Line on(Bench bench, CompletionChannel channel) {
            return into(
                    bench,
                    bench.b().context().completionQueue(64).channel(channel).build());
        }

        static Line into(Bench bench, CompletionQueue received) {
            Pair pair = bench.pair(QueuePairType.RC).receivesAtB(received).build();
            return new Line(bench, pair.a().queuePair(), pair.b().queuePair(), received);
        }

        void receive(int count) {
            var region = bench.b().register(MESSAGE);
            for (int i = 0; i < count; i++) {
                receiver.postReceive(i, region.slice(0, MESSAGE));
            }
        }

        void send() {
            send(false);
        }

        void send(boolean solicited) {
            var region = bench.a().register(MESSAGE);
            try (SendBatch batch = sender.batch()) {
                var send = batch.send(1).sge(region, 0, MESSAGE).signaled();
                if (solicited) {
                    send.solicited();
                }
                batch.submit();
            }
            sender.sendCompletions().awaitSuccess(1, bench.patience());
            region.close();
        }
    }

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        cases.add(named("events.channel.traffic", "test_cq_events.cq_events_rc").runs(ChannelCases::traffic));
        cases.add(named("events.channel.datagrams", "test_cq_events.cq_events_ud")
                .needs(Capability.UD)
                .runs(ChannelCases::datagrams));
        cases.add(named("events.channel.several-queues", "ibv_get_cq_event(3)").runs(ChannelCases::severalQueues));
        cases.add(named("events.channel.unarmed", "ibv_req_notify_cq(3)").runs(ChannelCases::unarmed));
        cases.add(named("events.channel.one-event-each-arming", "ibv_req_notify_cq(3)")
                .runs(ChannelCases::oneEventEach));
        cases.add(named("events.channel.what-came-before-arming", "ibv_get_cq_event(3): poll again after arming")
                .runs(ChannelCases::before));
        cases.add(named("events.channel.solicited-only", "ibv_req_notify_cq(3): solicited_only; rule 3.11")
                .runs(ChannelCases::solicited));
        cases.add(named("events.channel.solicited-and-failed", "ibv_req_notify_cq(3): an error; rule 3.11")
                .runs(ChannelCases::solicitedFailed));
        cases.add(named("events.channel.any-outweighs-solicited", "ibv_req_notify_cq(3); rule 3.11")
                .needs(Capability.ANY_OUTWEIGHS_SOLICITED)
                .runs(ChannelCases::anyOutweighs));
        cases.add(named("events.channel.busy-with-queue", "ibv_destroy_comp_channel(3): EBUSY")
                .runs(ChannelCases::busy));
        cases.add(named("events.channel.destroy-with-unread-events", "ibv_destroy_cq(3): unacknowledged events")
                .runs(ChannelCases::unread));
        cases.add(named("events.channel.destroy-with-read-events", "ibv_ack_cq_events(3): the library's business")
                .runs(ChannelCases::read));
        cases.add(named("events.channel.close-wakes", "ibv_destroy_comp_channel(3)")
                .runs(ChannelCases::closeWakes));
        cases.add(named("events.channel.selector-loop", "ibv_create_comp_channel(3): poll(2) on its descriptor")
                .runs(ChannelCases::selectorLoop));
        cases.add(named("events.queue.without-channel", "ibv_req_notify_cq(3)").runs(ChannelCases::withoutChannel));
        for (WaitPolicy policy : List.of(WaitPolicy.blockAtOnce(), WaitPolicy.DEFAULT, WaitPolicy.alwaysSpin())) {
            String variation = policy.equals(WaitPolicy.DEFAULT) ? "default" : policy.blocks() ? "block" : "spin";
            cases.add(named("events.queue.await@" + variation, "ibv_get_cq_event(3)")
                    .runs(bench -> await(bench, policy)));
        }
        return cases;
    }

    private static ConformanceCase.Builder named(String name, String origin) {
        return ConformanceCase.named(name).from(origin).needs(Capability.EVENTS);
    }

    private static CompletionChannel channel(Bench bench) {
        return bench.b().context().createCompletionChannel();
    }

    private static void expect(Bench bench, CompletionChannel channel, Line line) {
        Optional<CompletionQueue> ready = channel.await(bench.patience());
        bench.check().that("an event came in time", ready.isPresent());
        bench.check().that("it names the queue", ready.orElseThrow() == line.received);
    }

    private static void expectNone(Bench bench, String why, CompletionChannel channel) {
        bench.check().equal("events " + why, Optional.empty(), channel.await(SHORT));
    }

    private static void traffic(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.received.arm();
        for (int i = 0; i < 100; i++) {
            line.receive(1);
            line.send();
            expect(bench, channel, line);
            bench.check().equal("completions", 1, line.received.drain(WorkCompletion::requireSuccess));
        }
        bench.check().equal("acknowledged", 100, line.received.acknowledgedEvents());
    }

    private static void datagrams(Bench bench) {
        CompletionChannel channel = channel(bench);
        CompletionQueue received =
                bench.b().context().completionQueue(64).channel(channel).build();
        QueuePair receiver = bench.b()
                .domain()
                .queuePair(bench.b().completionQueue(64))
                .receiveCompletions(received)
                .type(QueuePairType.UD)
                .depth(16, 16)
                .build();
        QueuePair sender = bench.a()
                .domain()
                .queuePair(bench.a().completionQueue(64))
                .type(QueuePairType.UD)
                .depth(16, 16)
                .build();
        receiver.activate();
        sender.activate();
        Endpoint there = receiver.endpoint();
        AddressHandle way = bench.a().domain().createAddressHandle(there);
        MemoryRegion source = bench.a().register(MESSAGE);
        MemoryRegion target = bench.b().register(Grh.BYTES + MESSAGE);
        received.arm();
        for (int i = 0; i < 100; i++) {
            receiver.postReceive(i, target.slice(0, Grh.BYTES + MESSAGE));
            try (SendBatch batch = sender.batch()) {
                batch.send(i).to(way, there).sge(source, 0, MESSAGE).signaled();
                batch.submit();
            }
            sender.sendCompletions().awaitSuccess(1, bench.patience());
            bench.check().equal("event", Optional.of(received), channel.await(bench.patience()));
            bench.check().equal("completions", 1, received.drain(WorkCompletion::requireSuccess));
        }
        bench.check().equal("acknowledged", 100, received.acknowledgedEvents());
    }

    private static void severalQueues(Bench bench) {
        CompletionChannel channel = channel(bench);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Line line = Line.on(bench, channel);
            line.receive(1);
            line.received.arm();
            lines.add(line);
        }
        lines.get(2).send();
        expect(bench, channel, lines.get(2));
        expectNone(bench, "of the other queues", channel);
        for (Line line : List.of(lines.get(0), lines.get(1), lines.get(3))) {
            line.send();
        }
        Set<CompletionQueue> ready = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            ready.add(channel.await(bench.patience()).orElseThrow());
        }
        bench.check()
                .equal(
                        "queues with events",
                        Set.of(lines.get(0).received, lines.get(1).received, lines.get(3).received),
                        ready);
    }

    private static void unarmed(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(1);
        line.send();
        expectNone(bench, "of a queue that is not armed", channel);
        bench.check().equal("completions", 1, line.received.poll(9, WorkCompletion::requireSuccess));
    }

    private static void oneEventEach(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(3);
        line.received.arm();
        line.received.arm();
        line.send();
        line.send();
        expect(bench, channel, line);
        expectNone(bench, "after the first", channel);
        bench.check().equal("acknowledged", 1, line.received.acknowledgedEvents());
        line.received.arm();
        line.send();
        expect(bench, channel, line);
    }

    private static void before(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(2);
        line.send();
        line.received.arm();
        expectNone(bench, "for what came before", channel);
        line.send();
        expect(bench, channel, line);
        bench.check().equal("completions", 2, line.received.drain(WorkCompletion::requireSuccess));
    }

    private static void solicited(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(2);
        line.received.armSolicited();
        line.send();
        expectNone(bench, "for what was not solicited", channel);
        line.send(true);
        expect(bench, channel, line);
    }

    private static void solicitedFailed(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(1);
        line.received.armSolicited();
        line.receiver.modify(
                QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        Optional<CompletionQueue> ready = channel.await(bench.patience().dividedBy(10));
        bench.check()
                .answer(
                        "an event came in time",
                        true,
                        ready.isPresent(),
                        Allowance.rxe(false, "rxe's flushed receives raise no event for who asked for solicited ones"));
        bench.check()
                .equal(
                        "completions",
                        1,
                        line.received.poll(9, completion -> bench.check().that("it failed", !completion.isSuccess())));
    }

    private static void anyOutweighs(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(2);
        line.received.armSolicited();
        line.received.arm();
        line.send();
        expect(bench, channel, line);
        line.received.arm();
        line.received.armSolicited();
        line.send();
        expect(bench, channel, line);
    }

    private static void busy(Bench bench) {
        CompletionChannel channel = channel(bench);
        CompletionQueue queue =
                bench.b().context().completionQueue(4).channel(channel).build();
        bench.check().refused("closing a channel with a queue", "EBUSY", channel::close);
        queue.close();
        channel.close();
        channel.close();
        bench.check().thrown("after close", ClosedException.class, channel::poll);
        bench.check()
                .thrown(
                        "a queue on a closed channel",
                        ClosedException.class,
                        () -> bench.b()
                                .context()
                                .completionQueue(4)
                                .channel(channel)
                                .build());
    }

    private static void unread(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line gone = Line.on(bench, channel);
        Line stays = Line.on(bench, channel);
        for (Line line : List.of(gone, stays)) {
            line.receive(1);
            line.received.arm();
            line.send();
        }
        gone.receiver.close();
        gone.received.close();
        expect(bench, channel, stays);
        expectNone(bench, "of the queue that is gone", channel);
    }

    private static void read(Bench bench) {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        line.receive(3);
        for (int i = 0; i < 3; i++) {
            line.received.arm();
            line.send();
            expect(bench, channel, line);
        }
        line.receiver.close();
        line.received.close();
        bench.check().equal("acknowledged", 3, line.received.acknowledgedEvents());
    }

    private static void closeWakes(Bench bench) throws InterruptedException {
        CompletionChannel channel = channel(bench);
        AtomicReference<Object> outcome = new AtomicReference<>("nothing");
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                outcome.set(channel.await(bench.patience()));
            } catch (ClosedException e) {
                outcome.set(ClosedException.class);
            }
        });
        while (waiter.getState() != Thread.State.TIMED_WAITING && waiter.isAlive()) {
            Thread.yield();
        }
        channel.close();
        bench.check().that("the waiter ends", waiter.join(bench.patience()));
        bench.check().equal("what it got", ClosedException.class, outcome.get());
    }

    /** Nothing is left. That there may be an event can be told once more, late, and for no reason; not for ever. */
    private static void settle(Bench bench, CompletionChannel channel, Selector selector) throws IOException {
        int reasonless = 0;
        while (selector.selectNow() != 0) {
            reasonless++;
            bench.check().that("readable afterwards, soon not any more", reasonless <= 2);
            selector.selectedKeys().clear();
            bench.check().equal("events afterwards", Optional.empty(), channel.poll());
        }
    }

    private static void selectorLoop(Bench bench) throws IOException {
        CompletionChannel channel = channel(bench);
        Line line = Line.on(bench, channel);
        try (Selector selector = Selector.open()) {
            channel.selectable().register(selector, SelectionKey.OP_READ);
            bench.check().equal("events at first", Optional.empty(), channel.poll());
            bench.check().equal("readable at first", 0, selector.selectNow());
            for (int i = 0; i < 20; i++) {
                line.receive(1);
                line.received.arm();
                line.send();
                bench.check()
                        .equal("readable", 1, selector.select(bench.patience().toMillis()));
                selector.selectedKeys().clear();
                bench.check().equal("event", Optional.of(line.received), channel.poll());
                bench.check().equal("completions", 1, line.received.drain(WorkCompletion::requireSuccess));
                bench.check().equal("further events", Optional.empty(), channel.poll());
                settle(bench, channel, selector);
            }
        }
    }

    private static void withoutChannel(Bench bench) {
        CompletionQueue queue = bench.b().completionQueue(4);
        bench.check().refused("arming", "EINVAL", queue::arm);
        bench.check().refused("arming for solicited ones", "EINVAL", queue::armSolicited);
        bench.check().equal("its channel", Optional.empty(), queue.channel());
    }

    private static void await(Bench bench, WaitPolicy policy) throws InterruptedException {
        CompletionQueue received =
                bench.b().context().completionQueue(64).waitPolicy(policy).build();
        Line line = Line.into(bench, received);
        bench.check().equal("completions before the deadline", 0, received.await(1, SHORT, completion -> {}));
        AtomicReference<Integer> came = new AtomicReference<>(0);
        Thread waiter = Thread.ofVirtual()
                .start(() -> came.set(received.await(3, bench.patience(), WorkCompletion::requireSuccess)));
        for (int i = 0; i < 3; i++) {
            line.receive(1);
            line.send();
        }
        bench.check().that("the waiter ends", waiter.join(bench.patience()));
        bench.check().equal("completions", 3, came.get().intValue());
    }
}
