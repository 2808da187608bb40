package dev.doorbell.bench.jmh;

import dev.doorbell.bench.Loopback;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Operations of eight bytes on the embedded device, posted and polled by one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PostPollBenchmark {
    private static final int BATCH = 32;
    private static final int BYTES = 8;

    private final Loopback loopback = Loopback.onSoft();
    private final Loopback.Side side = loopback.left();
    private final RemoteMemory remote = loopback.right().target.remote();
    private final MemorySlice local = side.source.slice(0, BYTES);
    private final MemorySegment bytes = local.segment();
    private long id;

    /** Disconnects. */
    @TearDown
    public void close() {
        loopback.close();
    }

    /** A signaled WRITE with its bytes in the work request. */
    @Benchmark
    public long signaledWriteInline() {
        try (SendBatch batch = side.queuePair.batch()) {
            batch.write(++id, remote, 0).inline(bytes, 0, BYTES).signaled();
            batch.submit();
        }
        return await();
    }

    /** A signaled WRITE of registered memory. */
    @Benchmark
    public long signaledWriteElement() {
        try (SendBatch batch = side.queuePair.batch()) {
            batch.write(++id, remote, 0).sge(local).signaled();
            batch.submit();
        }
        return await();
    }

    /** 32 WRITEs, a doorbell each, of which the last is signaled: nanoseconds of one. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long unsignaledWriteInline() {
        for (int i = 1; i <= BATCH; i++) {
            try (SendBatch batch = side.queuePair.batch()) {
                batch.write(++id, remote, 0).inline(bytes, 0, BYTES);
                if (i == BATCH) {
                    batch.signaled();
                }
                batch.submit();
            }
        }
        return await();
    }

    /** 32 WRITEs with one doorbell, of which the last is signaled: nanoseconds of one. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long batchedWriteInline() {
        try (SendBatch batch = side.queuePair.batch()) {
            for (int i = 1; i <= BATCH; i++) {
                batch.write(++id, remote, 0).inline(bytes, 0, BYTES);
            }
            batch.signaled();
            batch.submit();
        }
        return await();
    }

    /** A signaled READ. */
    @Benchmark
    public long signaledRead() {
        try (SendBatch batch = side.queuePair.batch()) {
            batch.read(++id, remote, 0).sge(local).signaled();
            batch.submit();
        }
        return await();
    }

    /** A signaled fetch and add. */
    @Benchmark
    public long signaledFetchAndAdd() {
        try (SendBatch batch = side.queuePair.batch()) {
            batch.fetchAndAdd(++id, remote, 0, 1).sge(local).signaled();
            batch.submit();
        }
        return await();
    }

    private long await() {
        try (CompletionCursor poll = side.sends.poll()) {
            while (!poll.next()) {
                Thread.onSpinWait();
            }
            return poll.requireSuccess().id();
        }
    }
}
