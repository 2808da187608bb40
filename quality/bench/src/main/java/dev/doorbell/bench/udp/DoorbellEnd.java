package dev.doorbell.bench.udp;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.RemoteMemory;
import org.jspecify.annotations.Nullable;

/** One end of an RC connection: a queue pair, its completion queues, and a region that the peer may reach. */
final class DoorbellEnd implements AutoCloseable {
    static final int DEPTH = 64;
    static final int INLINE_BYTES = 8;
    static final int REGION = 1 << 20;

    private static final int PAGE = 4096;

    final QueuePair queuePair;
    final CompletionQueue sends;
    final CompletionQueue receives;

    /** What is sent, and what the peer reaches: a mebibyte each. */
    final MemorySlice source;

    final MemorySlice target;

    private final Context context;
    private @Nullable RemoteMemory peer;

    @SuppressWarnings("MustBeClosed") // the context closes what belongs to it
    DoorbellEnd(Context context) {
        this.context = context;
        ProtectionDomain domain = context.allocateProtectionDomain();
        sends = context.createCompletionQueue(DEPTH);
        receives = context.createCompletionQueue(DEPTH);
        queuePair = domain.queuePair(sends)
                .receiveCompletions(receives)
                .depth(DEPTH, DEPTH)
                .inline(INLINE_BYTES)
                .build();
        RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        source = arena.allocateSlice(REGION, PAGE);
        target = arena.allocateSlice(REGION, PAGE);
    }

    /** What the peer has to know, in one line. */
    String describe() {
        return queuePair.endpoint().toText() + " " + target.remote().toText();
    }

    /** Connects to what the peer said. */
    void connect(String line) {
        int blank = line.indexOf(' ');
        queuePair.connect(Endpoint.fromText(line.substring(0, blank)));
        peer = RemoteMemory.fromText(line.substring(blank + 1));
    }

    /** The peer's {@link #target}. */
    RemoteMemory peer() {
        RemoteMemory known = peer;
        if (known == null) {
            throw new IllegalStateException("not connected");
        }
        return known;
    }

    @Override
    public void close() {
        if (Boolean.getBoolean("doorbell.bench.counters")) {
            System.err.println(context.device().name() + " " + context.device().counters(1));
        }
        context.close();
    }
}
