package dev.doorbell.conformance.bench;

import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One end of a {@link Pair}, with the calls that every case makes. */
public final class End {
    private final Bench bench;
    private final Side side;
    private final QueuePair queuePair;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final MemoryRegion region;

    End(
            Bench bench,
            Side side,
            QueuePair queuePair,
            CompletionQueue sends,
            CompletionQueue receives,
            MemoryRegion region) {
        this.bench = bench;
        this.side = side;
        this.queuePair = queuePair;
        this.sends = sends;
        this.receives = receives;
        this.region = region;
    }

    /** The side that it is on. */
    public Side side() {
        return side;
    }

    /** The queue pair. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** Where its sends complete. */
    public CompletionQueue sends() {
        return sends;
    }

    /** Where its receives complete. */
    public CompletionQueue receives() {
        return receives;
    }

    /** Its region. */
    public MemoryRegion region() {
        return region;
    }

    /** The bytes of its region. */
    public MemorySegment memory() {
        return region.segment();
    }

    /** What its peer needs to reach its region. */
    public RemoteMemory remote() {
        return region.remote();
    }

    /** Posts work requests with one doorbell. */
    public void post(Consumer<SendBatch> requests) {
        try (SendBatch batch = queuePair.batch()) {
            requests.accept(batch);
            batch.submit();
        }
    }

    /** Posts a receive into a part of its region. */
    public void receive(long id, long offset, long bytes) {
        queuePair.postReceive(id, region.slice(offset, bytes));
    }

    /** The next completion of a send; fails the case if none comes in time. */
    public Completion nextSent() {
        return allSent(1).getFirst();
    }

    /** The next completions of sends, in order; fails the case if they do not come in time. */
    public List<Completion> allSent(int count) {
        return take("send", sends, count);
    }

    /** The next completion of a receive; fails the case if none comes in time. */
    public Completion nextReceived() {
        return allReceived(1).getFirst();
    }

    /** The next completions of receives, in order; fails the case if they do not come in time. */
    public List<Completion> allReceived(int count) {
        return take("receive", receives, count);
    }

    private List<Completion> take(String what, CompletionQueue queue, int count) {
        List<Completion> completions = new ArrayList<>();
        int came = queue.await(count, bench.patience(), completion -> completions.add(completion.copy()));
        bench.check()
                .equal(
                        what + " completions of side " + side.name() + " that came in time (" + describe(completions)
                                + ")",
                        count,
                        came);
        return completions;
    }

    private static String describe(List<Completion> completions) {
        return String.join(
                ", ",
                completions.stream()
                        .map(completion -> completion.id() + " " + completion.status())
                        .toList());
    }

    /** The next completion of a send is this one, and successful. Returns it. */
    public Completion sent(long id) {
        return expect("send", nextSent(), id, WorkCompletionStatus.SUCCESS);
    }

    /** The next completion of a receive is this one, and successful. Returns it. */
    public Completion received(long id) {
        return expect("receive", nextReceived(), id, WorkCompletionStatus.SUCCESS);
    }

    /** The next completion of a send is this one, with this status or an allowed one. Returns it. */
    public Completion sent(long id, WorkCompletionStatus status, Allowance... allowances) {
        return expect("send", nextSent(), id, status, allowances);
    }

    /** The next completion of a receive is this one, with this status or an allowed one. Returns it. */
    public Completion received(long id, WorkCompletionStatus status, Allowance... allowances) {
        return expect("receive", nextReceived(), id, status, allowances);
    }

    private Completion expect(
            String what, Completion completion, long id, WorkCompletionStatus status, Allowance... allowances) {
        String name = what + " completion of side " + side.name();
        bench.check().equal(name + ": work request", id, completion.id());
        bench.check().answer(name + " " + id, status, completion.status(), allowances);
        bench.check().equal(name + ": queue pair", queuePair.number(), completion.queuePairNumber());
        return completion;
    }

    /** No completion of a send is there at the moment. */
    public void nothingSent() {
        nothing("send", sends);
    }

    /** No completion of a receive is there at the moment. */
    public void nothingReceived() {
        nothing("receive", receives);
    }

    private void nothing(String what, CompletionQueue queue) {
        List<Completion> completions = new ArrayList<>();
        queue.poll(1, completion -> completions.add(completion.copy()));
        bench.check().equal(what + " completions of side " + side.name(), List.of(), completions);
    }

    /** The queue pair gets to a state in time, as the kernel reports it. */
    public void reaches(QueuePairState state) {
        sends.await(() -> queuePair.query().state() == state, bench.patience(), unexpected -> {
            throw bench.check().failure("a completion came while a state was awaited: " + unexpected.describe());
        });
        bench.check()
                .equal("state of side " + side.name(), state, queuePair.query().state());
    }

    /** Waits until the send queue is drained, with no completion meanwhile. */
    public void drains() {
        sends.await(() -> !queuePair.query().sqDraining(), bench.patience(), unexpected -> {
            throw bench.check().failure("a completion came of an empty send queue: " + unexpected.describe());
        });
        bench.check()
                .that(
                        "send queue of side " + side.name() + " is drained",
                        !queuePair.query().sqDraining());
    }
}
