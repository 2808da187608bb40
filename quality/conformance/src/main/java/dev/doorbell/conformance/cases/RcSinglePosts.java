package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Work requests that are posted in one call, without a batch. */
final class RcSinglePosts {
    private static final int SIGNALED = SendFlag.SIGNALED.bit();

    private RcSinglePosts() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.single.send-write-read")
                        .from("ibv_post_send(3): a list of one")
                        .runs(RcSinglePosts::each),
                ConformanceCase.named("rc.single.inline-every-size")
                        .from("ibv_post_send(3): IBV_SEND_INLINE")
                        .runs(bench -> RcInline.everySize(bench, RcSinglePosts::write)),
                ConformanceCase.named("rc.single.inline-source-may-change")
                        .from("ibv_post_send(3): the buffer can be reused at once")
                        .runs(bench -> RcInline.sourceMayChange(
                                bench, (end, source) -> end.queuePair().postSendInline(1, source, 0, 32, SIGNALED))),
                ConformanceCase.named("rc.single.unsignaled-and-batches")
                        .from("ibv_post_send(3): slots of unsignaled work requests")
                        .runs(RcSinglePosts::mixed),
                ConformanceCase.named("rc.single.failure-visible")
                        .from("ibv_post_send(3); rule 3.8")
                        .runs(RcSinglePosts::failure),
                ConformanceCase.named("rc.single.fence")
                        .from("gap: FENCE; ibv_post_send(3); rule 3.4")
                        .runs(RcSinglePosts::fence));
    }

    private static void each(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment drawn = bench.drawnBytes(3000);
        MemorySegment.copy(drawn, 0, pair.a().memory(), 16, 3000);
        pair.b().receive(9, 0, 4096);
        pair.a().queuePair().postSend(1, pair.a().region(), 16, 3000, SIGNALED);
        pair.a().sent(1);
        bench.check().equal("bytes received", 3000, pair.b().received(9).byteLength());
        bench.check().bytes("the message", drawn, pair.b().memory().asSlice(0, 3000));

        pair.b().memory().fill((byte) 0);
        pair.a()
                .queuePair()
                .postWrite(2, pair.a().region().slice(16, 3000), pair.b().remote(), 40);
        pair.a().sent(2);
        bench.check().bytes("what was written", drawn, pair.b().memory().asSlice(40, 3000));
        bench.check().equal("the byte before it", 0, Bytes.at(pair.b().memory(), 39));
        bench.check().equal("the byte behind it", 0, Bytes.at(pair.b().memory(), 3040));

        pair.a().memory().fill((byte) 0);
        pair.a()
                .queuePair()
                .postRead(3, pair.a().region().slice(8, 3000), pair.b().remote(), 40);
        pair.a().sent(3);
        bench.check().bytes("what was read", drawn, pair.a().memory().asSlice(8, 3000));
        pair.a()
                .queuePair()
                .postWrite(
                        4,
                        pair.a().region(),
                        0,
                        0,
                        pair.b().remote().address(),
                        pair.b().remote().rkey(),
                        SIGNALED);
        pair.a().sent(4);
        pair.a().nothingSent();
    }

    private static void write(Pair pair, long id, MemorySegment source, long offset, int bytes) {
        long address = pair.b().remote().address() + 3;
        int rkey = pair.b().remote().rkey();
        pair.a().queuePair().postWriteInline(id, source, offset, bytes, address, rkey, SIGNALED);
    }

    private static void mixed(Bench bench) {
        Pair pair = bench.pair();
        long remote = pair.b().remote().address();
        int rkey = pair.b().remote().rkey();
        for (int round = 1; round <= 30; round++) {
            pair.b().memory().fill((byte) 0);
            pair.a().memory().fill((byte) round);
            for (int i = 0; i < 5; i++) {
                pair.a().queuePair().postWrite(i, pair.a().region(), 0, 8, remote + 8L * i, rkey, 0);
            }
            pair.a().post(batch -> {
                for (int i = 5; i < 10; i++) {
                    batch.write(i, remote + 8L * i, rkey).sge(pair.a().region(), 0, 8);
                }
            });
            for (int i = 10; i < 15; i++) {
                pair.a().queuePair().postWriteInline(i, pair.a().memory(), 0, 8, remote + 8L * i, rkey, 0);
            }
            pair.a().queuePair().postWrite(1000 + round, pair.a().region(), 0, 8, remote + 120, rkey, SIGNALED);
            pair.a().sent(1000 + round);
            pair.a().nothingSent();
            for (int i = 0; i < 128; i++) {
                bench.check().equal("byte " + i, round, Bytes.at(pair.b().memory(), i));
            }
        }
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }

    private static void failure(Bench bench) {
        Pair pair = bench.pair();
        pair.a()
                .queuePair()
                .postWrite(
                        2,
                        pair.a().region(),
                        0,
                        8,
                        pair.b().remote().address(),
                        pair.b().remote().rkey() ^ 0x40,
                        0);
        pair.a().sent(2, WorkCompletionStatus.REM_ACCESS_ERR);
        pair.a()
                .queuePair()
                .postWrite(3, pair.a().region().slice(0, 8), pair.b().remote(), 0);
        pair.a().sent(3, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static void fence(Bench bench) {
        Pair pair = bench.pair();
        long remote = pair.b().remote().address();
        int rkey = pair.b().remote().rkey();
        for (int i = 1; i <= 20; i++) {
            long value = bench.draw().anyLong();
            Bytes.setLong(pair.b().memory(), 0, value);
            Bytes.setLong(pair.a().memory(), 0, ~value);
            pair.a().queuePair().postRead(i, pair.a().region(), 0, 8, remote, rkey, 0);
            pair.a()
                    .queuePair()
                    .postWrite(1000 + i, pair.a().region(), 0, 8, remote + 64, rkey, SIGNALED | SendFlag.FENCE.bit());
            pair.a().sent(1000 + i);
            bench.check()
                    .equal(
                            "what the fenced request carried",
                            value,
                            Bytes.longAt(pair.b().memory(), 64));
        }
    }
}
