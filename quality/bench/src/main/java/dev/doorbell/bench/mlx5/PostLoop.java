package dev.doorbell.bench.mlx5;

import dev.doorbell.bench.Activation;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Rounds of WRITEs of 64 bytes through the mlx5 driver, a doorbell each. The last of a round is signaled; its completion entry is written
 * as the device would, and polled. {@code src/main/c/mlx5.c} is the same in C.
 *
 * <p>Thread rules: one thread.
 */
public final class PostLoop implements AutoCloseable {
    /** Work requests of a round, which fill the send queue. */
    public static final int DEPTH = 256;

    private static final int BYTES = 64;
    private static final int SIGNALED = SendFlag.SIGNALED.bit();

    private final FakeHca hca = new FakeHca();
    private final Context context;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final MemoryRegion region;
    private final MemorySegment message = Arena.ofAuto().allocate(BYTES, BYTES);
    private final boolean isInline;
    private final boolean isBatch;
    private final int size;
    private long posted;
    private int blocks;

    /**
     * @param isInline whether the bytes lie in the work request, or in registered memory
     * @param isBatch whether each is a batch of one, or posted in one call
     * @param isSingleThreaded whether the queues have no locks
     */
    public PostLoop(boolean isInline, boolean isBatch, boolean isSingleThreaded) {
        this.isInline = isInline;
        this.isBatch = isBatch;
        this.size = isInline ? 2 : 1;
        FakeMlx5 kernel = new FakeMlx5(hca);
        DeviceCatalog catalog =
                DeviceCatalog.of(List.of(kernel), DeviceCatalog.installed().providers());
        this.context = catalog.devices().getFirst().open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        this.region = domain.register(message, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        CompletionQueue.Builder queue = context.completionQueue(2 * DEPTH - 1);
        this.completions = (isSingleThreaded ? queue.singleThreaded() : queue).build();
        QueuePair.Builder builder =
                domain.queuePair(completions).depth(DEPTH, 1).sge(1, 1).inline(isInline ? BYTES : 0);
        this.queuePair = (isSingleThreaded ? builder.singleThreaded() : builder).build();
        Activation.towardsItself(queuePair);
    }

    /** Fills the queue and empties it again. Returns the identifier that came back. */
    public long round() {
        if (isBatch) {
            for (int i = 1; i < DEPTH; i++) {
                writeBatch();
            }
            writeBatchSignaled();
        } else if (isInline) {
            for (int i = 1; i < DEPTH; i++) {
                queuePair.postWriteInline(++posted, message, 0, BYTES, message.address(), region.rkey(), 0);
            }
            queuePair.postWriteInline(++posted, message, 0, BYTES, message.address(), region.rkey(), SIGNALED);
        } else {
            for (int i = 1; i < DEPTH; i++) {
                queuePair.postWrite(++posted, region, 0, BYTES, message.address(), region.rkey(), 0);
            }
            queuePair.postWrite(++posted, region, 0, BYTES, message.address(), region.rkey(), SIGNALED);
        }
        blocks += size * DEPTH;
        hca.complete(blocks - size, BYTES);
        return poll();
    }

    private void writeBatch() {
        try (SendBatch batch = queuePair.batch()) {
            batch.write(++posted, message.address(), region.rkey());
            describe(batch);
            batch.submit();
        }
    }

    private void writeBatchSignaled() {
        try (SendBatch batch = queuePair.batch()) {
            batch.write(++posted, message.address(), region.rkey());
            describe(batch);
            batch.signaled();
            batch.submit();
        }
    }

    private void describe(SendBatch batch) {
        if (isInline) {
            batch.inline(message, 0, BYTES);
        } else {
            batch.sge(region, 0, BYTES);
        }
    }

    private long poll() {
        try (CompletionCursor cursor = completions.poll()) {
            if (!cursor.next()
                    || cursor.id() != posted
                    || cursor.requireSuccess().byteLength() != BYTES) {
                throw new IllegalStateException("the completion is not that of work request " + posted);
            }
            return cursor.id();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
