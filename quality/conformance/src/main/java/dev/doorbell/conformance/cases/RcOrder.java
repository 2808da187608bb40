package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What a program may see when: data before their completion, words in the order that is promised. */
final class RcOrder {
    private static final int ROUNDS = 100;
    private static final int BYTES = 1 << 16;
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private RcOrder() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.order.data-before-receive-completion")
                        .from("ibv_poll_cq(3); rule 3.8")
                        .runs(bench -> dataFirst(bench, MessageKind.SEND)),
                ConformanceCase.named("rc.order.written-data-before-receive-completion")
                        .from("ibv_poll_cq(3); rule 3.8")
                        .runs(bench -> dataFirst(bench, MessageKind.WRITE_IMM)),
                ConformanceCase.named("rc.order.read-data-before-completion")
                        .from("ibv_poll_cq(3); rule 3.8")
                        .runs(RcOrder::readDataFirst),
                ConformanceCase.named("rc.order.last-word-last")
                        .from("rule 3.8; MemoryRegion's Javadoc")
                        .needs(Capability.LAST_WORD_LAST)
                        .runs(RcOrder::lastWordLast),
                ConformanceCase.named("rc.order.write-then-read")
                        .from("rule 3.8: a READ sees the WRITEs before it")
                        .runs(RcOrder::writeThenRead));
    }

    /** A thread of its own looks at the completion queue, and at the data as soon as there is a completion. */
    private static void dataFirst(Bench bench, MessageKind kind) throws Exception {
        Pair pair = bench.pair(QueuePairType.RC).bytes(BYTES).build();
        MemorySegment expected = bench.memory(BYTES);
        AtomicLong seen = new AtomicLong();
        FutureTask<Void> watch = watch(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                awaitOne(bench, pair);
                byte last = Bytes.at(pair.b().memory(), BYTES - 1);
                bench.check().equal("the last byte in round " + round, (byte) round, last);
                bench.check()
                        .bytes(
                                "round " + round,
                                expected.fill((byte) round),
                                pair.b().memory());
                seen.set(round);
            }
        });
        for (int round = 1; round <= ROUNDS && !watch.isDone(); round++) {
            pair.a().memory().fill((byte) round);
            int id = round;
            pair.b().receive(id, 0, BYTES);
            pair.a()
                    .post(batch -> kind.open(batch, id, pair.b().remote(), 0, id)
                            .sge(pair.a().region(), 0, BYTES)
                            .signaled());
            pair.a().sent(id);
            awaitSeen(seen, round, watch);
        }
        await(bench, watch);
    }

    private static void awaitSeen(AtomicLong seen, long round, FutureTask<Void> watch) {
        for (int look = 0; seen.get() < round && !watch.isDone(); look++) {
            pause(look);
        }
    }

    private static void awaitOne(Bench bench, Pair pair) {
        long end = System.nanoTime() + bench.patience().toNanos();
        for (int look = 0; ; look++) {
            try (CompletionCursor poll = pair.b().receives().poll()) {
                if (poll.next()) {
                    poll.requireSuccess();
                    return;
                }
            }
            if (System.nanoTime() > end) {
                throw bench.check().failure("no completion came");
            }
            pause(look);
        }
    }

    private static void readDataFirst(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).bytes(BYTES).build();
        for (int round = 1; round <= 300; round++) {
            pair.b().memory().fill((byte) round);
            int id = round;
            pair.a()
                    .post(batch -> batch.read(id, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, BYTES)
                            .signaled());
            pair.a().sent(id);
            bench.check().bytes("what was read", pair.b().memory(), pair.a().memory());
        }
    }

    /** A thread of its own looks at the last word of the memory only, and when it changes at all the others. */
    private static void lastWordLast(Bench bench) throws Exception {
        Pair pair = bench.pair(QueuePairType.RC).bytes(BYTES).build();
        ByteBuffer target = pair.b().memory().asByteBuffer().order(ByteOrder.nativeOrder());
        AtomicLong seen = new AtomicLong();
        FutureTask<Void> watch = watch(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                awaitWord(bench, target, round);
                long first = firstOther(target, round);
                bench.check().equal("offset of the first old word in round " + round, -1, first);
                seen.set(round);
            }
        });
        for (int round = 1; round <= ROUNDS && !watch.isDone(); round++) {
            for (int at = 0; at < BYTES; at += 8) {
                Bytes.setLong(pair.a().memory(), at, round);
            }
            int id = round;
            pair.a()
                    .post(batch -> batch.write(id, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, BYTES)
                            .signaled());
            pair.a().sent(id);
            awaitSeen(seen, round, watch);
        }
        await(bench, watch);
    }

    private static void awaitWord(Bench bench, ByteBuffer target, long value) {
        long end = System.nanoTime() + bench.patience().toNanos();
        for (int look = 0; (long) WORD.getAcquire(target, BYTES - 8) != value; look++) {
            if (System.nanoTime() > end) {
                throw bench.check().failure("the last word never became " + value);
            }
            pause(look);
        }
    }

    private static long firstOther(ByteBuffer target, long value) {
        for (int at = 0; at < BYTES; at += 8) {
            if ((long) WORD.get(target, at) != value) {
                return at;
            }
        }
        return -1;
    }

    private static void writeThenRead(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 50; i++) {
            long value = bench.draw().anyLong();
            Bytes.setLong(pair.a().memory(), 0, value);
            try (SendBatch batch = pair.a().queuePair().batch()) {
                batch.write(1, pair.b().remote(), 4096).sge(pair.a().region(), 0, 8);
                batch.read(2, pair.b().remote(), 4096)
                        .sge(pair.a().region(), 8, 8)
                        .signaled();
                batch.submit();
            }
            pair.a().sent(2);
            bench.check()
                    .equal("what was read back", value, Bytes.longAt(pair.a().memory(), 8));
        }
    }

    /** Looks again at once as a rule, and lets others run where the processors are taken. */
    private static void pause(int look) {
        if (look % 2000 == 1999) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private static FutureTask<Void> watch(Runnable work) {
        FutureTask<Void> task = new FutureTask<>(work, null);
        Thread.ofPlatform().daemon().name("watcher of a case").start(task);
        return task;
    }

    private static void await(Bench bench, FutureTask<Void> task) throws Exception {
        task.get(bench.patience().toMillis(), TimeUnit.MILLISECONDS);
    }
}
