package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;

/** A shared receive queue on side B, with the queue pairs that take from it and their senders on side A. */
final class SharedLane {
    static final int PART = 64;

    final Bench bench;
    final SharedReceiveQueue shared;
    final MemoryRegion source;
    final MemoryRegion target;
    final List<QueuePair> senders = new ArrayList<>();
    final List<QueuePair> takers = new ArrayList<>();
    private final CompletionQueue sends;
    private final CompletionQueue receives;

    SharedLane(Bench bench, int depth, int queuePairs) {
        this(bench, depth, queuePairs, QueuePairType.RC);
    }

    SharedLane(Bench bench, int depth, int queuePairs, QueuePairType type) {
        this.bench = bench;
        this.shared = bench.b().domain().sharedReceiveQueue(depth).sge(2).build();
        this.sends = bench.a().completionQueue(128);
        this.receives = bench.b().completionQueue(255);
        this.source = bench.a().register(4096);
        this.target = bench.b().register(4096);
        for (int i = 0; i < queuePairs; i++) {
            addPair(type);
        }
    }

    private void addPair(QueuePairType type) {
        QueuePair from =
                bench.a().domain().queuePair(sends).type(type).depth(8, 1).build();
        QueuePair to = bench.b()
                .domain()
                .queuePair(receives)
                .type(type)
                .depth(4, 0)
                .sharedReceiveQueue(shared)
                .build();
        from.connect(to.endpoint());
        to.connect(from.endpoint());
        senders.add(from);
        takers.add(to);
    }

    /** Posts receives with these identifiers. */
    void post(int first, int count) {
        try (ReceiveBatch batch = shared.receives()) {
            for (int id = first; id < first + count; id++) {
                batch.receive(id).sge(target.slice(0, PART));
            }
            bench.check().equal("posted", count, batch.submit());
        }
    }

    /** Sends a message by one of the queue pairs, and waits until it has arrived. */
    void send(int by, long id) {
        senders.get(by).postSend(id, source.slice(0, PART));
        sends.awaitSuccess(1, bench.patience());
    }

    /** The next completions of the queue pairs that take. */
    List<Completion> received(int count) {
        List<Completion> completions = new ArrayList<>();
        int came = receives.await(count, bench.patience(), completion -> completions.add(completion.copy()));
        bench.check().equal("completions of receives", count, came);
        return completions;
    }

    /** No receive is complete at the moment. */
    void nothingReceived() {
        bench.check().equal("completions of receives", 0, receives.poll(1, completion -> {}));
    }

    /** The next asynchronous event of side B that is not about a connection being established. */
    AsyncEvent event() {
        while (true) {
            AsyncEvent event = bench.b()
                    .context()
                    .events()
                    .await(bench.patience())
                    .orElseThrow(() -> bench.check().failure("no asynchronous event came"));
            if (event.type() != AsyncEventType.COMM_EST) {
                return event;
            }
        }
    }

    /** No asynchronous event of side B is there at the moment. */
    void noEvent() {
        bench.check().that("no more events", bench.b().context().events().poll().isEmpty());
    }
}
