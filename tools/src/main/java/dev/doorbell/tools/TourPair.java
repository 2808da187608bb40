package dev.doorbell.tools;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Connection;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.KernelCounters;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;

/** Two queue pairs of one device, connected to each other, with memory for both and the counters of their kernel. */
final class TourPair implements AutoCloseable {
    private static final int COMPLETIONS = 128;
    private static final int DEPTH = 16;
    private static final int INLINE = 64;

    private final ProtectionDomain domain;
    private final RegisteredArena arena;
    private final CompletionQueue completions;
    private final QueuePair near;
    private final QueuePair far;
    private final Connection connection;
    private final KernelCounters kernel;

    @SuppressWarnings("MustBeClosed") // the arena is closed by close()
    TourPair(Context context, KernelCounters kernel) {
        this.kernel = kernel;
        this.domain = context.allocateProtectionDomain();
        this.arena = domain.arena(
                AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        this.completions = context.createCompletionQueue(COMPLETIONS);
        this.near = queuePair();
        this.far = queuePair();
        this.connection = near.connect(far.endpoint());
        far.connect(near.endpoint());
        arena.allocateSlice(
                Long.BYTES); // the first slab is registered here, among the objects, and not between post and poll
    }

    private QueuePair queuePair() {
        return domain.queuePair(completions)
                .depth(DEPTH, DEPTH)
                .sge(2, 2)
                .inline(INLINE)
                .build();
    }

    /** The queue pair that asks. */
    QueuePair near() {
        return near;
    }

    /** The queue pair that is asked. */
    QueuePair far() {
        return far;
    }

    /** Where both complete. */
    CompletionQueue completions() {
        return completions;
    }

    /** What the near end agreed on. */
    Connection connection() {
        return connection;
    }

    /** What the kernel was asked for so far. */
    KernelCounters kernel() {
        return kernel;
    }

    /** Registered, zeroed memory. */
    MemorySlice memory(long bytes) {
        return arena.allocateSlice(bytes, Long.BYTES);
    }

    String domainName() {
        return domain.toString();
    }

    long registeredBytes() {
        return arena.regions().stream().mapToLong(MemoryRegion::length).sum();
    }

    int rkey() {
        return arena.regions().getFirst().rkey();
    }

    /** Closes children first; idempotent. */
    @Override
    public void close() {
        near.close();
        far.close();
        completions.close();
        arena.close();
        domain.close();
    }
}
