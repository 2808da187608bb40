package dev.doorbell.bench;

import dev.doorbell.bench.Loopback.Side;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One thread that posts WRITEs of eight bytes, a doorbell each, and polls for the completions of the signaled ones. */
final class WritePostPoll implements Measurement {
    private static final int OPERATIONS_PER_CHUNK = 2048;

    private final Duel duel;
    private final int chunks;
    private final int signaledEvery;
    private final Loopback loopback = Loopback.onSoft();
    private final Side side = loopback.left();
    private final RemoteMemory target = loopback.right().target.remote();
    private final MemorySegment message = side.source.segment();

    private long posted;

    /**
     * @param signaledEvery one work request in so many asks for a completion; a divisor of the queue's depth
     */
    WritePostPoll(Duel duel, int chunks, int signaledEvery) {
        this.duel = duel;
        this.chunks = chunks;
        this.signaledEvery = signaledEvery;
    }

    @Override
    public String name() {
        return signaledEvery == 1
                ? "post and poll, signaled WRITE of 8 bytes"
                : "post and poll, unsignaled WRITE of 8 bytes (1 in " + signaledEvery + " signaled)";
    }

    @Override
    public double round() {
        return duel.alone(() -> {
            double[] times = new double[chunks];
            for (int chunk = 0; chunk < chunks; chunk++) {
                long start = System.nanoTime();
                for (int i = 0; i < OPERATIONS_PER_CHUNK; i++) {
                    operation();
                }
                times[chunk] = System.nanoTime() - start;
            }
            return Figure.median(times) / OPERATIONS_PER_CHUNK;
        });
    }

    private void operation() {
        posted++;
        boolean signaled = posted % signaledEvery == 0;
        message.set(ValueLayout.JAVA_LONG, 0, posted);
        try (SendBatch batch = side.queuePair.batch()) {
            batch.write(posted, target, 0).inline(message, 0, Long.BYTES);
            if (signaled) {
                batch.signaled();
            }
            batch.submit();
        }
        if (signaled) {
            await();
        }
    }

    private void await() {
        try (CompletionCursor poll = side.sends.poll()) {
            while (!poll.next()) {
                Thread.onSpinWait();
            }
            if (poll.requireSuccess().id() != posted) {
                throw new IllegalStateException("completion " + poll.id() + " instead of " + posted);
            }
        }
    }

    @Override
    public void close() {
        loopback.close();
    }
}
