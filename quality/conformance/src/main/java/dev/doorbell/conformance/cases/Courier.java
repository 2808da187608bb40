package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sends messages from side A to side B, or fetches them, and checks all that follows: completions, lengths, immediate data,
 * and each byte of the target's region, those that must not change included.
 */
final class Courier {
    private static final byte UNTOUCHED = 0x5a;

    private final Bench bench;
    private final Pair pair;
    private final MemorySegment expected;
    private long id = 100;

    /** For a pair with regions of the same size. The source's bytes are drawn. */
    Courier(Bench bench, Pair pair) {
        this.bench = bench;
        this.pair = pair;
        this.expected = Arena.ofAuto().allocate(pair.a().memory().byteSize());
        byte[] bytes = bench.draw().bytes((int) pair.a().memory().byteSize());
        pair.a().memory().copyFrom(MemorySegment.ofArray(bytes));
    }

    /** How the elements of a work request divide its bytes. */
    interface Split {
        /** One element. */
        Split WHOLE = (bytes, elements) -> {
            elements.add(0, bytes);
        };

        /** Names each part. */
        void divide(long bytes, Elements elements);

        /** So many parts; the first are short and odd, the last takes what is left. */
        static Split into(int parts) {
            return (bytes, elements) -> {
                long at = 0;
                for (int i = 0; i < parts - 1; i++) {
                    long part = Math.min(2 * i + 1, bytes - at);
                    elements.add(at, part);
                    at += part;
                }
                elements.add(at, bytes - at);
            };
        }
    }

    /** Takes the parts of a message. */
    interface Elements {
        /** Part of the message. */
        void add(long from, long bytes);
    }

    /** One message of so many bytes, from an offset in the one region to an offset in the other. */
    void deliver(MessageKind kind, long bytes, long from, long to) {
        deliver(kind, bytes, from, to, Split.WHOLE, Split.WHOLE);
    }

    /** One message, gathered and scattered. */
    void deliver(MessageKind kind, long bytes, long from, long to, Split gather, Split scatter) {
        End source = kind == MessageKind.READ ? pair.b() : pair.a();
        End target = kind == MessageKind.READ ? pair.a() : pair.b();
        if (kind == MessageKind.READ) {
            source.memory().copyFrom(pair.a().memory());
        }
        MemorySegment sent = source.memory().asSlice(from, bytes);
        expected.fill(UNTOUCHED).asSlice(to, bytes).copyFrom(sent);
        MemorySegment kept = null;
        if (kind == MessageKind.READ) {
            kept = Arena.ofAuto().allocate(target.memory().byteSize()).copyFrom(target.memory());
        }
        target.memory().fill(UNTOUCHED);
        int immediate = (int) bench.draw().anyLong();
        id++;
        if (kind.takesReceive()) {
            receive(kind, bytes, to, scatter);
        }
        long remoteAt = kind == MessageKind.READ ? from : to;
        long localAt = kind == MessageKind.READ ? to : from;
        Split local = kind == MessageKind.READ ? scatter : gather;
        try (SendBatch batch = pair.a().queuePair().batch()) {
            kind.open(batch, id, pair.b().remote(), remoteAt, immediate);
            local.divide(bytes, (at, part) -> batch.sge(pair.a().region(), localAt + at, part));
            batch.signaled().submit();
        }
        checkCompletions(kind, bytes, immediate);
        if (kind == MessageKind.WRITE && pair.a().queuePair().type() == QueuePairType.UC) {
            follow();
        }
        bench.check().bytes("memory after " + kind + " of " + bytes + " bytes", expected, target.memory());
        if (kept != null) {
            target.memory().copyFrom(kept);
        }
    }

    /** Without acknowledgement a WRITE is complete when it was sent: it has arrived when a message behind it has. */
    private void follow() {
        pair.b().receive(id + 2000, 0, 0);
        pair.a().post(batch -> batch.send(id + 3000).signaled());
        pair.a().sent(id + 3000);
        pair.b().received(id + 2000);
    }

    private void receive(MessageKind kind, long bytes, long to, Split scatter) {
        try (ReceiveBatch batch = pair.b().queuePair().receives()) {
            batch.receive(id + 1000);
            if (kind.isSend()) {
                scatter.divide(bytes, (at, part) -> batch.sge(pair.b().region(), to + at, part));
            }
            batch.submit();
        }
    }

    private void checkCompletions(MessageKind kind, long bytes, int immediate) {
        if (kind.takesReceive()) {
            Completion received = pair.b().received(id + 1000);
            bench.check().equal("bytes received", bytes, received.byteLength());
            bench.check()
                    .equal(
                            "receive opcode",
                            kind.isSend() ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                            received.opcode());
            bench.check().equal("immediate data", kind.hasImmediate() ? immediate : 0, received.immediate());
        }
        Completion done = pair.a().sent(id);
        bench.check().equal("send opcode", kind.completion(), done.opcode());
        if (kind == MessageKind.READ) {
            bench.check().equal("bytes read", bytes, done.byteLength());
        }
    }
}
