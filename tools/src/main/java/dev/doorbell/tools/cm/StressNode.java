package dev.doorbell.tools.cm;

import dev.doorbell.cm.CmId;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;

/** One connection: its queue pair, its memory, and the messages each way. */
final class StressNode implements AutoCloseable {
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final CmId id;
    private final StressSettings settings;
    private final CompletionQueue completions;
    private final RegisteredArena arena;
    private final QueuePair queuePair;
    private final MemorySlice memory;
    private int received;
    private int sent;

    /** Makes the queue pair and posts all receives, before the peer can send. */
    StressNode(CmId id, ProtectionDomain domain, StressSettings settings) {
        this.id = id;
        this.settings = settings;
        int depth = Math.max(1, settings.messages());
        this.completions = id.context().createCompletionQueue(2 * depth);
        this.arena = domain.arena(AccessFlag.LOCAL_WRITE);
        this.memory = arena.allocateSlice(settings.size());
        this.queuePair = id.createQueuePair(domain.queuePair(completions).depth(depth, depth));
        try (ReceiveBatch batch = queuePair.receives()) {
            for (int i = 0; i < settings.messages(); i++) {
                batch.receive(RECEIVE).sge(memory);
            }
            batch.submit();
        }
    }

    CmId id() {
        return id;
    }

    void send() {
        try (SendBatch batch = queuePair.batch()) {
            for (int i = 0; i < settings.messages(); i++) {
                batch.send(SEND).sge(memory).signaled();
            }
            batch.submit();
        }
    }

    void awaitSends() {
        await(() -> sent == settings.messages(), "did not take all messages");
    }

    void awaitReceives() {
        await(() -> received == settings.messages(), "did not send all messages");
    }

    private void await(java.util.function.BooleanSupplier condition, String otherwise) {
        Duration patience = settings.patience();
        if (!completions.await(condition, patience, this::completed)) {
            throw new CmToolException("the peer of " + id + " " + otherwise + " in " + patience.toSeconds()
                    + " seconds: " + received + " came, " + sent + " went");
        }
    }

    private void completed(WorkCompletion completion) {
        completion.requireSuccess();
        if (completion.id() == RECEIVE) {
            received++;
        } else {
            sent++;
        }
    }

    /** Ends the connection, and frees what it had. */
    @Override
    public void close() {
        id.close();
        completions.close();
        arena.close();
    }
}
