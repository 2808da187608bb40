package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BiConsumer;

/** Bytes that travel in the work request itself. */
final class RcInline {
    private RcInline() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("rc.inline.every-size")
                        .from("gap: inline sends; ibv_post_send(3)")
                        .runs(bench -> everySize(bench, RcInline::write)),
                ConformanceCase.named("rc.inline.list")
                        .from("gap: inline lists; ibv_wr_set_inline_data_list(3)")
                        .runs(RcInline::inlineList),
                ConformanceCase.named("rc.inline.source-may-change")
                        .from("ibv_post_send(3): the buffer can be reused at once")
                        .runs(bench -> sourceMayChange(
                                bench,
                                (end, source) -> end.post(batch ->
                                        batch.send(1).inline(source, 0, 32).signaled()))),
                ConformanceCase.named("rc.inline.too-long-refused")
                        .from("ibv_post_send(3)")
                        .runs(RcInline::inlineTooLong),
                ConformanceCase.named("rc.inline.read-refused")
                        .from("ibv_post_send(3): inline for SEND and WRITE only")
                        .runs(RcInline::inlineRead));
    }

    /** Posts a signaled inline WRITE of a part of the source, to byte 3 of the other end's region. */
    interface InlineWrite {
        void post(Pair pair, long id, MemorySegment source, long offset, int bytes);
    }

    private static void write(Pair pair, long id, MemorySegment source, long offset, int bytes) {
        pair.a()
                .post(batch -> batch.write(id, pair.b().remote(), 3)
                        .inline(source, offset, bytes)
                        .signaled());
    }

    static void everySize(Bench bench, InlineWrite write) {
        Pair pair = bench.pair();
        int most = pair.a().queuePair().capacity().maxInline();
        bench.check().atLeast("inline bytes", 64, most);
        MemorySegment source = bench.drawnBytes(most + 8);
        for (int size = 0; size <= Math.min(most, 512); size++) {
            MemorySegment expected = bench.memory(1024);
            MemorySegment.copy(source, size & 7, expected, 3, size);
            pair.b().memory().fill((byte) 0);
            write.post(pair, size, source, size & 7, size);
            pair.a().sent(size);
            bench.check()
                    .bytes(size + " inline bytes", expected, pair.b().memory().asSlice(0, 1024));
        }
    }

    private static void inlineList(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment source = bench.drawnBytes(60);
        pair.b().receive(9, 0, 64);
        pair.a()
                .post(batch -> batch.send(1)
                        .inline(source, 0, 1)
                        .inline(source, 1, 0)
                        .inline(source, 1, 30)
                        .inline(MemorySegment.ofArray(source.asSlice(31, 29).toArray(ValueLayout.JAVA_BYTE)), 0, 29)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("bytes received", 60, pair.b().received(9).byteLength());
        bench.check().bytes("the message", source, pair.b().memory().asSlice(0, 60));
        bench.check().equal("the byte behind it", 0, Bytes.at(pair.b().memory(), 60));
    }

    /** @param send posts a signaled inline SEND of 32 bytes, with the identifier 1 */
    static void sourceMayChange(Bench bench, BiConsumer<End, MemorySegment> send) {
        Pair pair = bench.pair();
        MemorySegment source = bench.memory(32);
        source.fill((byte) 1);
        // Nobody receives yet, so the device needs the bytes later.
        send.accept(pair.a(), source);
        source.fill((byte) 2);
        pair.b().receive(9, 0, 64);
        pair.a().sent(1);
        pair.b().received(9);
        bench.check().equal("first byte", 1, Bytes.at(pair.b().memory(), 0));
        bench.check().equal("last byte", 1, Bytes.at(pair.b().memory(), 31));
    }

    private static void inlineTooLong(Bench bench) {
        Pair pair = bench.pair();
        int most = pair.a().queuePair().capacity().maxInline();
        MemorySegment source = bench.memory(most + 1);
        bench.check()
                .refused(
                        "one byte too many",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch ->
                                        batch.write(1, pair.b().remote(), 0).inline(source, 0, most + 1)));
        bench.check()
                .refused(
                        "one byte too many in two pieces",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch -> batch.write(1, pair.b().remote(), 0)
                                        .inline(source, 0, most)
                                        .inline(source, 0, 1)));
        bench.check()
                .refused(
                        "inline bytes beside an element",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch -> batch.write(1, pair.b().remote(), 0)
                                        .sge(pair.a().region(), 0, 8)
                                        .inline(source, 0, 1)));
        bench.check()
                .refused(
                        "an element beside inline bytes",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch -> batch.write(1, pair.b().remote(), 0)
                                        .inline(source, 0, 1)
                                        .sge(pair.a().region(), 0, 8)));
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }

    private static void inlineRead(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment source = bench.memory(8);
        bench.check()
                .refused(
                        "an inline READ",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch ->
                                        batch.read(1, pair.b().remote(), 0).inline(source, 0, 8)));
        bench.check()
                .refused(
                        "an inline fetch and add",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch -> batch.fetchAndAdd(1, pair.b().remote(), 0, 1)
                                        .inline(source, 0, 8)));
    }
}
