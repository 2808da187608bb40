package dev.doorbell.bench;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;

/** Two connected RC queue pairs on one device: what a program on each side of a connection has. */
public final class Loopback implements AutoCloseable {
    /** Work requests that each queue holds. */
    public static final int DEPTH = 128;
    /** Bytes between two places in a side's memory: nothing shares a cache line, nor its neighbour. */
    public static final long STRIDE = 128;

    private static final int INLINE_BYTES = 8;

    private final Context context;
    private final ProtectionDomain domain;
    private final Side left;
    private final Side right;

    private Loopback(Context context) {
        this.context = context;
        this.domain = context.allocateProtectionDomain();
        this.left = new Side(context, domain);
        this.right = new Side(context, domain);
        left.queuePair.connect(right.queuePair.endpoint());
        right.queuePair.connect(left.queuePair.endpoint());
    }

    /** On the embedded device. */
    public static Loopback onSoft() {
        Context context = Device.named("soft0").open();
        try {
            return new Loopback(context);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    /** The side that begins. */
    public Side left() {
        return left;
    }

    /** The side that answers. */
    public Side right() {
        return right;
    }

    @Override
    public void close() {
        context.close();
    }

    /** One end of the connection. */
    public static final class Side {
        /** The queue pair. */
        public final QueuePair queuePair;
        /** Where its sends complete. */
        public final CompletionQueue sends;
        /** Where its receives complete. */
        public final CompletionQueue receives;
        /** What the memory belongs to: it ends with its arena. */
        public final RegisteredArena arena;
        /** {@link #DEPTH} places of {@link #STRIDE} bytes that the peer may reach. */
        public final MemorySlice target;
        /** A place to send from. */
        public final MemorySlice source;

        private Side(Context context, ProtectionDomain domain) {
            sends = context.createCompletionQueue(DEPTH);
            receives = context.createCompletionQueue(DEPTH);
            queuePair = domain.queuePair(sends)
                    .receiveCompletions(receives)
                    .depth(DEPTH, DEPTH)
                    .inline(INLINE_BYTES)
                    .build();
            arena = domain.arena(
                    AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            target = arena.allocateSlice(DEPTH * STRIDE, STRIDE);
            source = arena.allocateSlice(STRIDE, STRIDE);
        }
    }
}
