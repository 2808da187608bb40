package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.LinkFaults.Packets;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** What an unreliable connection loses and drops: in silence, whole messages, and never with a mix of two. */
final class UcErrors {
    private static final int BYTES = 3000;

    private UcErrors() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        cases.add(uc("uc.send.without-receive", "rule 3.12", UcErrors::withoutReceive));
        cases.add(uc(
                "uc.write.rkey-unknown",
                "rule 3.12",
                bench -> dropped(bench, (pair, batch) -> {
                    RemoteMemory remote = pair.b().remote();
                    batch.write(1, remote.address(), remote.rkey() ^ 0x40);
                })));
        cases.add(uc(
                "uc.write.beyond-the-region",
                "rule 3.12",
                bench -> dropped(bench, (pair, batch) -> {
                    RemoteMemory remote = pair.b().remote();
                    batch.write(1, remote.address() + remote.length() - 7, remote.rkey());
                })));
        cases.add(uc("uc.write.queue-pair-lacks-access", "rule 3.12; ibv_modify_qp(3)", UcErrors::lacksAccess));
        cases.add(uc("uc.send.lkey-unknown", "ibv_post_send(3)", UcErrors::localKey));
        cases.add(uc("uc.send.flush", "ibv_modify_qp(3): the error state flushes", UcErrors::flush));
        cases.add(uc(
                "uc.read.refused",
                "ibv_post_send(3): EINVAL",
                bench -> refused(bench, (pair, batch) -> batch.read(1, pair.b().remote(), 0))));
        cases.add(uc(
                "uc.atomic.compare-swap.refused",
                "ibv_post_send(3): EINVAL",
                bench -> refused(
                        bench, (pair, batch) -> batch.compareAndSwap(1, pair.b().remote(), 0, 1, 2))));
        cases.add(uc(
                "uc.atomic.fetch-add.refused",
                "ibv_post_send(3): EINVAL",
                bench -> refused(
                        bench, (pair, batch) -> batch.fetchAndAdd(1, pair.b().remote(), 0, 1))));
        for (int part = 0; part < 3; part++) {
            int lost = part;
            cases.add(ConformanceCase.named("uc.send.lost-part@" + part)
                    .from("rule 3.12")
                    .needs(Capability.UC, Capability.FAULTS)
                    .runs(bench -> lost(bench, lost, false)));
            cases.add(ConformanceCase.named("uc.send.part-twice@" + part)
                    .from("rule 3.12")
                    .needs(Capability.UC, Capability.FAULTS)
                    .runs(bench -> lost(bench, lost, true)));
        }
        return cases;
    }

    private static ConformanceCase uc(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name).from(origin).needs(Capability.UC).runs(body);
    }

    private static void withoutReceive(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        Bytes.setLong(pair.a().memory(), 0, 1);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(1);
        // A message behind it: what came before has been dealt with when this has arrived.
        pair.a()
                .post(batch -> batch.write(2, pair.b().remote(), 64)
                        .inline(bench.drawnBytes(8), 0, 8)
                        .signaled());
        pair.a().sent(2);
        bench.check()
                .that(
                        "the WRITE arrives",
                        bench.eventually(() -> Bytes.longAt(pair.b().memory(), 64) != 0));
        pair.b().receive(20, 0, 8);
        Bytes.setLong(pair.a().memory(), 0, 3);
        pair.a().post(batch -> batch.send(3).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(3);
        pair.b().received(20);
        bench.check().equal("the message that arrived", 3, Bytes.longAt(pair.b().memory(), 0));
        pair.b().nothingReceived();
    }

    private static void dropped(Bench bench, BiConsumer<Pair, SendBatch> open) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        Bytes.setLong(pair.a().memory(), 0, -1);
        pair.a().post(batch -> {
            open.accept(pair, batch);
            batch.sge(pair.a().region(), 0, 8).signaled();
        });
        pair.a().sent(1);
        afterwards(bench, pair);
    }

    /** The connection goes on, and the receiver's memory is as it was but for what comes now. */
    private static void afterwards(Bench bench, Pair pair) {
        pair.b().receive(20, 1024, 8);
        Bytes.setLong(pair.a().memory(), 8, 5);
        pair.a().post(batch -> batch.send(9).sge(pair.a().region(), 8, 8).signaled());
        pair.a().sent(9);
        pair.b().received(20);
        bench.check().equal("the next message", 5, Bytes.longAt(pair.b().memory(), 1024));
        Bytes.setLong(pair.b().memory(), 1024, 0);
        bench.check()
                .bytes(
                        "the peer's memory",
                        bench.memory(pair.b().memory().byteSize()),
                        pair.b().memory());
        bench.check()
                .equal("state", QueuePairState.RTS, pair.b().queuePair().query().state());
    }

    private static void lacksAccess(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).access(AccessFlag.REMOTE_READ).build();
        Bytes.setLong(pair.a().memory(), 0, -1);
        pair.a()
                .post(batch -> batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        afterwards(bench, pair);
    }

    private static void localKey(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        pair.b().receive(20, 0, 64);
        pair.a()
                .post(batch -> batch.send(1)
                        .sge(pair.a().region().address(), 8, pair.a().region().lkey() ^ 0x40)
                        .signaled());
        pair.a().post(batch -> batch.send(2).sge(pair.a().region(), 0, 8));
        pair.a().sent(1, WorkCompletionStatus.LOC_PROT_ERR, RcErrors.ofLocalKeys());
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        sendQueueStops(bench, pair);
        bench.check()
                .equal(
                        "the peer's state",
                        QueuePairState.RTS,
                        pair.b().queuePair().query().state());
    }

    /** The failure of a send stops the send queue alone. */
    static void sendQueueStops(Bench bench, Pair pair) {
        QueuePair queuePair = pair.a().queuePair();
        bench.check()
                .that(
                        "the state changes",
                        bench.eventually(() -> queuePair.query().state() != QueuePairState.RTS));
        bench.check()
                .answer(
                        "state",
                        QueuePairState.SQE,
                        queuePair.query().state(),
                        Allowance.rxe(QueuePairState.ERROR, "rxe has no state SQE: the whole queue pair fails"));
    }

    private static void flush(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        pair.b().receive(20, 0, 8);
        pair.b().receive(21, 0, 8);
        pair.b()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERROR)
                        .build());
        pair.b().received(20, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.b().received(21, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.b().post(batch -> batch.send(3).sge(pair.b().region(), 0, 8));
        pair.b().sent(3, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static void refused(Bench bench, BiConsumer<Pair, SendBatch> open) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        bench.check()
                .refused(
                        "the work request",
                        "EINVAL",
                        () -> pair.a().post(batch -> {
                            open.accept(pair, batch);
                            batch.sge(pair.a().region(), 0, 8);
                        }));
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }

    /** A message that lost a part, or had one twice, may be missing; the one behind it comes whole, into the first receive. */
    private static void lost(Bench bench, int part, boolean twice) {
        Pair pair = bench.pair(QueuePairType.UC).mtu(Mtu.MTU_1024).build();
        pair.a().memory().asSlice(0, BYTES).fill((byte) 1);
        pair.a().memory().asSlice(BYTES, BYTES).fill((byte) 2);
        if (twice) {
            bench.faults().duplicate(Packets.REQUEST, part, 1);
        } else {
            bench.faults().drop(Packets.REQUEST, part, 1);
        }
        pair.b().receive(20, 0, BYTES);
        pair.b().receive(21, BYTES, BYTES);
        pair.a().post(batch -> {
            batch.send(1).sge(pair.a().region(), 0, BYTES).signaled();
            batch.send(2).sge(pair.a().region(), BYTES, BYTES).signaled();
        });
        pair.a().sent(1);
        pair.a().sent(2);
        pair.b().received(20);
        byte first = Bytes.at(pair.b().memory(), 0);
        if (first == 1) {
            bench.check().that("only a message whose part came twice can arrive", twice);
            pair.b().received(21);
            bench.check()
                    .bytes(
                            "the second message",
                            pair.a().memory().asSlice(BYTES, BYTES),
                            pair.b().memory().asSlice(BYTES, BYTES));
        }
        bench.check()
                .bytes(
                        "the first receive",
                        pair.a().memory().asSlice(first == 1 ? 0 : BYTES, BYTES),
                        pair.b().memory().asSlice(0, BYTES));
    }
}
