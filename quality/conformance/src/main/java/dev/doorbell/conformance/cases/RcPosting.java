package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.util.List;

/** How work requests are posted: signaled or not, fenced, in batches. */
final class RcPosting {
    private RcPosting() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.unsignaled.silent")
                        .from("gap: unsignaled batches; IBV_SEND_SIGNALED; rule 3.8")
                        .runs(RcPosting::unsignaled),
                ConformanceCase.named("rc.unsignaled.failure-visible")
                        .from("ibv_post_send(3); rule 3.8")
                        .runs(RcPosting::unsignaledFailure),
                ConformanceCase.named("rc.unsignaled.slots-come-back")
                        .from("ibv_post_send(3): slots of unsignaled work requests")
                        .runs(RcPosting::slots),
                ConformanceCase.named("rc.signal-all")
                        .from("ibv_create_qp(3): sq_sig_all")
                        .runs(RcPosting::signalAll),
                ConformanceCase.named("rc.fence.read-then-write")
                        .from("gap: FENCE; ibv_post_send(3); rule 3.4")
                        .runs(bench -> fence(bench, false)),
                ConformanceCase.named("rc.fence.atomic-then-send")
                        .from("gap: FENCE; ibv_post_send(3); rule 3.4")
                        .runs(bench -> fence(bench, true)),
                ConformanceCase.named("rc.batch.not-submitted")
                        .from("ibv_wr_abort(3)")
                        .runs(RcPosting::notSubmitted),
                ConformanceCase.named("rc.batch.many-kinds-in-order")
                        .from("ibv_wr_start(3); rule 3.8: completions in posting order")
                        .runs(RcPosting::manyKinds),
                ConformanceCase.named("rc.ids.all-64-bits")
                        .from("ibv_post_send(3): wr_id")
                        .runs(RcPosting::ids));
    }

    private static void unsignaled(Bench bench) {
        Pair pair = bench.pair();
        for (int round = 0; round < 20; round++) {
            int base = round * 100;
            pair.b().memory().fill((byte) 0);
            pair.a().memory().fill((byte) (round + 1));
            pair.a().post(batch -> {
                for (int i = 0; i < 7; i++) {
                    batch.write(base + i, pair.b().remote(), 8L * i)
                            .sge(pair.a().region(), 0, 8);
                }
                batch.write(base + 7, pair.b().remote(), 56)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
            });
            pair.a().sent(base + 7);
            pair.a().nothingSent();
            for (int i = 0; i < 64; i++) {
                bench.check().equal("byte " + i, round + 1, Bytes.at(pair.b().memory(), i));
            }
        }
    }

    private static void unsignaledFailure(Bench bench) {
        Pair pair = bench.pair();
        pair.a().post(batch -> {
            batch.write(1, pair.b().remote(), 0).sge(pair.a().region(), 0, 8);
            batch.write(2, pair.b().remote().address(), pair.b().region().rkey() ^ 0x40)
                    .sge(pair.a().region(), 0, 8);
            batch.write(3, pair.b().remote(), 0).sge(pair.a().region(), 0, 8);
        });
        pair.a().sent(2, WorkCompletionStatus.REM_ACCESS_ERR);
        pair.a().sent(3, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.a().nothingSent();
    }

    private static void slots(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 50; i++) {
            int id = i;
            pair.a().post(batch -> {
                for (int k = 0; k < 15; k++) {
                    batch.write(id, pair.b().remote(), 0).sge(pair.a().region(), 0, 1);
                }
                bench.check().equal("room", 1, batch.room());
                batch.write(id, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 1)
                        .signaled();
            });
            pair.a().sent(id);
            bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
        }
    }

    private static void signalAll(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .queuePairs(builder -> builder.signalAll())
                .build();
        pair.a().post(batch -> {
            for (int i = 0; i < 10; i++) {
                batch.write(i, pair.b().remote(), 0).sge(pair.a().region(), 0, 8);
            }
        });
        for (int i = 0; i < 10; i++) {
            pair.a().sent(i);
        }
        pair.a().nothingSent();
    }

    /** What the first request fetches is what the fenced one sends. */
    private static void fence(Bench bench, boolean atomic) {
        Pair pair = bench.pair();
        for (int i = 1; i <= 20; i++) {
            long value = bench.draw().anyLong();
            Bytes.setLong(pair.b().memory(), 0, value);
            Bytes.setLong(pair.a().memory(), 0, ~value);
            int id = i;
            if (atomic) {
                pair.b().receive(100 + i, 64, 8);
            }
            pair.a().post(batch -> {
                if (atomic) {
                    batch.fetchAndAdd(id, pair.b().remote(), 0, 1).sge(pair.a().region(), 0, 8);
                    batch.send(1000 + id);
                } else {
                    batch.read(id, pair.b().remote(), 0).sge(pair.a().region(), 0, 8);
                    batch.write(1000 + id, pair.b().remote(), 64);
                }
                batch.sge(pair.a().region(), 0, 8).signaled().fence();
            });
            pair.a().sent(1000 + i);
            if (atomic) {
                pair.b().received(100 + i);
            }
            bench.check()
                    .equal(
                            "what the fenced request carried",
                            value,
                            Bytes.longAt(pair.b().memory(), 64));
        }
    }

    private static void notSubmitted(Bench bench) {
        Pair pair = bench.pair();
        pair.a().memory().fill((byte) 1);
        try (SendBatch batch = pair.a().queuePair().batch()) {
            batch.write(1, pair.b().remote(), 0).sge(pair.a().region(), 0, 8).signaled();
        }
        try (ReceiveBatch batch = pair.b().queuePair().receives()) {
            batch.receive(2).sge(pair.b().region(), 0, 8);
        }
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
        bench.check().equal("credit", 0, pair.b().queuePair().receiveCredit());
        pair.a()
                .post(batch -> batch.write(3, pair.b().remote(), 8)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(3);
        pair.a().nothingSent();
        bench.check().equal("what was not submitted", 0, Bytes.longAt(pair.b().memory(), 0));
    }

    private static void manyKinds(Bench bench) {
        Pair pair = bench.pair();
        WorkCompletionOpcode[] expected = {
            WorkCompletionOpcode.SEND,
            WorkCompletionOpcode.RDMA_WRITE,
            WorkCompletionOpcode.RDMA_READ,
            WorkCompletionOpcode.FETCH_ADD,
            WorkCompletionOpcode.COMP_SWAP,
            WorkCompletionOpcode.RDMA_WRITE,
            WorkCompletionOpcode.SEND
        };
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 3; i++) {
                pair.b().receive(10 + i, 1024, 64);
            }
            pair.a().post(batch -> {
                batch.send(0).sge(pair.a().region(), 0, 8).signaled();
                batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 8, 3000)
                        .signaled();
                batch.read(2, pair.b().remote(), 0)
                        .sge(pair.a().region(), 8192, 5000)
                        .signaled();
                batch.fetchAndAdd(3, pair.b().remote(), 0, 1)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
                batch.compareAndSwap(4, pair.b().remote(), 0, 1, 2)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
                batch.writeWithImmediate(5, pair.b().remote(), 0, 5)
                        .sge(pair.a().region(), 0, 8)
                        .signaled();
                batch.sendWithImmediate(6, 6).sge(pair.a().region(), 0, 8).signaled();
            });
            for (int i = 0; i < expected.length; i++) {
                bench.check()
                        .equal("opcode of " + i, expected[i], pair.a().sent(i).opcode());
            }
            for (int i = 0; i < 3; i++) {
                Completion received = pair.b().received(10 + i);
                bench.check().equal("immediate data of " + i, new int[] {0, 5, 6}[i], received.immediate());
            }
        }
    }

    private static void ids(Bench bench) {
        Pair pair = bench.pair();
        long[] ids = {
            0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, bench.draw().anyLong()
        };
        for (long id : ids) {
            pair.b().receive(~id, 0, 64);
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
            pair.a().sent(id);
            pair.b().received(~id);
        }
    }
}
