package dev.doorbell.soft.hca;

import dev.doorbell.spec.QueuePairState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the device sees what was posted to an mlx5 queue pair: hardware is told by a store to one of its registers; here
 * somebody has to look at the doorbell record.
 *
 * <p>Thread rules: any thread.
 */
public final class Mlx5Posting {
    private final HcaQueuePair queuePair;
    private final Mlx5SendQueue sends;
    private final @Nullable Mlx5ReceiveQueue receives;

    /**
     * For a queue pair with mlx5 queues.
     *
     * @throws IllegalArgumentException if it has others
     */
    public Mlx5Posting(HcaQueuePair queuePair) {
        if (!(queuePair.requester().sends instanceof Mlx5SendQueue mine)) {
            throw new IllegalArgumentException("queue pair " + queuePair.number() + " has other queues");
        }
        this.queuePair = queuePair;
        this.sends = mine;
        this.receives = queuePair.responder().receives instanceof Mlx5ReceiveQueue own ? own : null;
    }

    /** The queue pair. */
    public HcaQueuePair queuePair() {
        return queuePair;
    }

    /** Whether something was posted that nobody has looked at. Reads only. */
    public boolean isPosted() {
        return sends.isPosted()
                || (receives != null
                        && isFlushing()
                        && Objects.requireNonNull(receives).isPosted());
    }

    /** In the error state no message comes that would make the responder look at what was posted since. */
    private boolean isFlushing() {
        return queuePair.state() == QueuePairState.ERROR;
    }

    /** Carries out what was posted, in this thread as far as possible. */
    public void carryOut() {
        sends.look();
        queuePair.ring();
    }
}
