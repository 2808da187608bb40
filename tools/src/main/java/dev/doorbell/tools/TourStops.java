package dev.doorbell.tools;

import dev.doorbell.verbs.MemorySlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The operations that the tour shows, each on buffers of its own. */
final class TourStops {
    static final int IMMEDIATE = 0x01020304;

    private static final int BYTES = 100_000;
    private static final long SEED = 25;

    private final TourPair pair;
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);

    TourStops(TourPair pair) {
        this.pair = pair;
    }

    /** Does them in order. */
    List<TourStop> visit() {
        return List.of(send(), sendInline(), write(), writeWithImmediate(), read(), swap(), add(), batch());
    }

    private TourStop send() {
        MemorySlice from = filled(BYTES);
        MemorySlice to = pair.memory(BYTES);
        return new TourExchange(pair)
                .receive(1, to)
                .post(batch -> batch.send(2).sge(from).signaled())
                .complete(2)
                .stop(
                        "SEND",
                        "a message; it lands in the buffer that the receiver posted beforehand",
                        BYTES,
                        () -> same(from, to));
    }

    private TourStop sendInline() {
        MemorySegment text = MemorySegment.ofArray("hello, RDMA".getBytes(StandardCharsets.UTF_8));
        MemorySlice to = pair.memory(text.byteSize());
        return new TourExchange(pair)
                .receive(1, to)
                .post(batch -> batch.sendWithImmediate(2, IMMEDIATE)
                        .inline(text, 0, text.byteSize())
                        .solicited()
                        .signaled())
                .complete(2)
                .stop(
                        "SEND inline, immediate",
                        "the bytes travel in the work request itself, four more in the completion",
                        text.byteSize(),
                        () -> text.mismatch(to.segment()) < 0);
    }

    private TourStop write() {
        MemorySlice from = filled(BYTES);
        MemorySlice to = pair.memory(BYTES);
        return new TourExchange(pair)
                .post(batch -> batch.write(1, to.remote(), 0).sge(from).signaled())
                .complete(1)
                .stop(
                        "RDMA WRITE",
                        "the sender says where; the receiver's program is not asked",
                        BYTES,
                        () -> same(from, to));
    }

    private TourStop writeWithImmediate() {
        MemorySlice from = filled(BYTES);
        MemorySlice to = pair.memory(BYTES);
        return new TourExchange(pair)
                .receive(1, pair.memory(0))
                .post(batch -> batch.writeWithImmediate(2, to.remote(), 0, IMMEDIATE)
                        .sge(from)
                        .signaled())
                .complete(2)
                .stop(
                        "RDMA WRITE, immediate",
                        "a WRITE of which the receiver is told, by a completion",
                        BYTES,
                        () -> same(from, to));
    }

    private TourStop read() {
        MemorySlice there = filled(BYTES);
        MemorySlice here = pair.memory(BYTES);
        return new TourExchange(pair)
                .post(batch -> batch.read(1, there.remote(), 0).sge(here).signaled())
                .complete(1)
                .stop(
                        "RDMA READ",
                        "fetches the peer's memory; its program is not asked",
                        BYTES,
                        () -> same(there, here));
    }

    private TourStop swap() {
        MemorySlice word = word(41);
        MemorySlice before = word(0);
        return new TourExchange(pair)
                .post(batch -> batch.compareAndSwap(1, word.remote(), 0, 41, 42)
                        .sge(before)
                        .signaled())
                .complete(1)
                .stop(
                        "compare and swap",
                        "replaces eight bytes of the peer if they hold what was expected",
                        Long.BYTES,
                        () -> value(word) == 42 && value(before) == 41);
    }

    private TourStop add() {
        MemorySlice word = word(40);
        MemorySlice before = word(0);
        return new TourExchange(pair)
                .post(batch ->
                        batch.fetchAndAdd(1, word.remote(), 0, 2).sge(before).signaled())
                .complete(1)
                .stop(
                        "fetch and add",
                        "adds to eight bytes of the peer and brings back what they held",
                        Long.BYTES,
                        () -> value(word) == 42 && value(before) == 40);
    }

    private TourStop batch() {
        MemorySlice from = filled(BYTES);
        MemorySlice to = pair.memory(BYTES);
        MemorySlice back = pair.memory(BYTES);
        int half = BYTES / 2;
        return new TourExchange(pair)
                .post(batch -> batch.write(1, to.remote(), 0)
                        .sge(from.slice(0, half))
                        .write(2, to.remote(), half)
                        .sge(from.slice(half, BYTES - half))
                        .read(3, to.remote(), 0)
                        .sge(back.slice(0, half))
                        .sge(back.slice(half, BYTES - half))
                        .fence()
                        .signaled())
                .complete(1)
                .stop(
                        "a batch",
                        "two unsignaled WRITEs and a fenced READ into two elements: one doorbell, one completion",
                        2L * BYTES,
                        () -> same(from, to) && same(from, back));
    }

    private MemorySlice filled(int bytes) {
        MemorySlice slice = pair.memory(bytes);
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        MemorySegment.copy(content, 0, slice.segment(), ValueLayout.JAVA_BYTE, 0, bytes);
        return slice;
    }

    private MemorySlice word(long value) {
        MemorySlice slice = pair.memory(Long.BYTES);
        slice.segment().set(ValueLayout.JAVA_LONG, 0, value);
        return slice;
    }

    private static long value(MemorySlice word) {
        return word.segment().get(ValueLayout.JAVA_LONG, 0);
    }

    private static boolean same(MemorySlice one, MemorySlice other) {
        return one.segment().mismatch(other.segment()) < 0;
    }
}
