package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import org.jspecify.annotations.Nullable;

/**
 * A round of polling: moves over the completions that are there (ibv_start_poll(3)).
 *
 * <pre>{@code
 * try (CompletionCursor poll = queue.poll()) {
 *     while (poll.next()) {
 *         use(poll.requireSuccess().id());
 *     }
 * }
 * }</pre>
 *
 * <p>Each completion queue has one such object, which is handed out again and again; nothing is allocated. Completions
 * passed over have been taken. Closing ends the round; a completion queue that is open elsewhere waits for it.
 *
 * <p>Thread rules: belongs to the thread that opened it.
 */
public final class CompletionCursor extends WorkCompletion implements AutoCloseable {
    private final CompletionQueue owner;
    private final QueueTurn turn;
    private final ProviderCompletionQueue queue;
    private final Flushes flushes;

    // Guarded by the turn.
    private @Nullable ProviderCompletionQueue at;

    CompletionCursor(CompletionQueue owner, QueueTurn turn, ProviderCompletionQueue queue, Flushes flushes) {
        this.owner = owner;
        this.turn = turn;
        this.queue = queue;
        this.flushes = flushes;
    }

    /** The queue. */
    public CompletionQueue completionQueue() {
        return owner;
    }

    /**
     * Moves to the next completion; false if there is none at the moment.
     *
     * @throws DeviceUnavailableException EIO if the queue's memory is gone, since the device was removed or
     *     a resize lost it
     */
    public boolean next() {
        turn.check("poll");
        try {
            if (queue.next()) {
                at = queue;
                return true;
            }
        } catch (InternalError e) {
            throw PostRefusals.lostRing("poll", owner.toString(), e);
        } catch (VerbsFault e) {
            throw PostRefusals.lostRing("poll", owner.toString(), e);
        }
        at = flushes.next();
        return at != null;
    }

    @Override
    DeviceClock clock() {
        return owner.clock();
    }

    @Override
    @Nullable
    QueuePair find(int number) {
        return owner.context().queuePairs().find(number);
    }

    @Override
    ProviderCompletionQueue current(String field) {
        turn.check(field);
        ProviderCompletionQueue completion = at;
        if (completion == null) {
            throw Refusal.of(Errno.ENODATA, "read " + field, owner.toString())
                    .rule("the cursor stands on no completion")
                    .remedy("Read fields after next() returned true, before it is called again")
                    .exception();
        }
        return completion;
    }

    /** Ends the round. Idempotent. */
    @Override
    public void close() {
        if (turn.isMine()) {
            at = null;
            try {
                queue.end();
            } catch (InternalError e) {
                giveUp(e);
            } finally {
                turn.end();
            }
        }
    }

    /** To a ring that is gone no slot needs to be given back; the next round is told. */
    private void giveUp(InternalError fault) {
        PostRefusals.lostRing("poll", owner.toString(), fault);
    }

    /** The completion that it stands on in this thread, described; else whose cursor it is. */
    @Override
    public String toString() {
        return turn.isMine() && at != null ? describe() : "cursor of " + owner;
    }
}
