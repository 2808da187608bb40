package dev.doorbell.quality.interop;

import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/** What atomics do to a few words of the responder's memory, and what the requester gets back. */
final class Words {
    private static final int AT = 8192;
    private static final int IN_A_ROW = 8;
    private static final long UNTOUCHED = 0x5a5a_5a5a_5a5a_5a5aL;
    private static final long SWAPPED = 0x0102_0304_0506_0708L;

    private final Half half;
    private final RemoteMemory remote;

    Words(Half half, RemoteMemory remote) {
        this.half = half;
        this.remote = remote;
    }

    private static long at(int word) {
        return AT + (long) word * Long.BYTES;
    }

    /** Adds, swaps, does not swap, and adds several times in one go. */
    void atomics() {
        one(0, batch -> batch.fetchAndAdd(0, remote, at(0), 5));
        one(1, batch -> batch.compareAndSwap(1, remote, at(0), UNTOUCHED + 5, SWAPPED));
        one(2, batch -> batch.compareAndSwap(2, remote, at(0), 1, 2));
        half.request(
                batch -> {
                    for (int i = 0; i < IN_A_ROW; i++) {
                        into(batch.fetchAndAdd(3 + i, remote, at(1), -1L << 4 * i), 3 + i);
                    }
                },
                IN_A_ROW);
    }

    private void one(int word, Consumer<SendBatch> operation) {
        half.request(
                batch -> {
                    operation.accept(batch);
                    into(batch, word);
                },
                1);
    }

    private void into(SendBatch batch, int word) {
        batch.sge(half.desk().region(), at(word), Long.BYTES).signaled();
    }

    /** What memory holds after {@link #atomics}. */
    static void expectAtomics(MemorySegment memory, boolean requester) {
        long added = UNTOUCHED;
        if (requester) {
            set(memory, 0, UNTOUCHED);
            set(memory, 1, UNTOUCHED + 5);
            set(memory, 2, SWAPPED);
        } else {
            set(memory, 0, SWAPPED);
        }
        for (int i = 0; i < IN_A_ROW; i++) {
            if (requester) {
                set(memory, 3 + i, added);
            }
            added += -1L << 4 * i;
        }
        if (!requester) {
            set(memory, 1, added);
        }
    }

    /** Writes eight words, each at once. */
    void writes() {
        half.request(
                batch -> {
                    for (int i = 0; i < IN_A_ROW; i++) {
                        batch.atomicWrite(i, remote, at(i), SWAPPED + i).signaled();
                    }
                },
                IN_A_ROW);
    }

    /** What memory holds after {@link #writes}. */
    static void expectWrites(MemorySegment memory, boolean requester) {
        for (int i = 0; i < IN_A_ROW && !requester; i++) {
            set(memory, i, SWAPPED + i);
        }
    }

    private static void set(MemorySegment memory, int word, long value) {
        memory.set(ValueLayout.JAVA_LONG, at(word), value);
    }
}
