package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The responding half of a queue pair: takes what arrives, places its bytes and completes receive work requests. Each
 * transport service has its own.
 *
 * <p>Every method is called with {@link #lock} held.
 */
abstract class RespondingHalf extends Padded {
    final EngineLock lock = new EngineLock(EngineLock.Level.RESPONDER);
    final Counters counters = new Counters();

    final HcaQueuePair queuePair;
    final ReceiveSource receives;
    final ReceiveRequest receive;
    final Completion completion;

    /** Whether {@link #receive} is taken, for the present message or the next. */
    boolean receiving;

    /** Whether it was reported that nothing is taken from the shared receive queue any more. */
    private boolean lastReported;

    RespondingHalf(HcaQueuePair queuePair, ReceiveSource receives, int maxSge) {
        this.queuePair = queuePair;
        this.receives = receives;
        this.receive = new ReceiveRequest(maxSge);
        this.completion = new Completion(queuePair.userIndex(), false);
    }

    /** Gives up the lock, and first what was only found for as long as it was held. */
    void unlock() {
        lock.unlock();
    }

    /** Takes over changed attributes. */
    abstract void configure(QueuePairSettings changed);

    /** Begins to receive: the queue pair goes from INIT to RTR. */
    abstract void start(QueuePairSettings changed);

    /** The peer is on this device now and was not before, or the other way round. */
    void reroute() {}

    /**
     * Takes a request off the link.
     *
     * @param source the address it came from
     * @param destination the address it was sent to
     * @return whether {@link #resume} has something to do
     */
    abstract boolean acceptPacket(PacketView packet, Gid source, Gid destination);

    /**
     * Sends what was held back. The result is that of {@link #acceptPacket}.
     *
     * @param carrier what an acknowledgement may leave through, together with others; the caller flushes it
     * @param patient whether an acknowledgement may wait for what the program sends
     */
    boolean resume(@Nullable Transmitter carrier, long nowNs, boolean patient) {
        return false;
    }

    /** Whether {@link #reply} has something to do. Called without the lock. */
    boolean awaitsReply() {
        return false;
    }

    /** Whether {@link #reply} will most likely add nothing, so that it can be called later. Called without the lock. */
    boolean repliesAlone() {
        return false;
    }

    /** The queue pair sends something of its own, through this transmitter: what is held back may go with it. */
    void reply(Transmitter transmitter, long nowNs) {}

    /** The queue pair goes into an error: what it owes is sent, as far as that takes no time, and nothing afterwards. */
    void finish() {}

    /** Completes every receive work request in error; the state is ERROR. */
    final void flush() {
        if (receiving) {
            fail(WorkCompletionStatus.WR_FLUSH_ERR);
        }
        if (!receives.isOwn()) {
            reportLast();
            return;
        }
        // No more than the ring holds: a program that goes on posting does not keep this thread.
        for (int left = receives.capacity(); left > 0 && receives.take(receive) != ReceiveSource.Take.NONE; left--) {
            fail(WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    /** Rule 3.10: what the queue pair took is complete; it takes nothing more. */
    private void reportLast() {
        if (!lastReported) {
            lastReported = true;
            queuePair.hca().listener().queuePairEvent(queuePair, AsyncEventType.QP_LAST_WQE_REACHED);
        }
    }

    /** Forgets every receive work request, without a completion, and empties its own ring. */
    final void reset() {
        abandon();
        receives.drop();
    }

    /** Forgets every receive work request, without a completion; the ring stays as it is. */
    void abandon() {
        receiving = false;
        lastReported = false;
    }

    /** Completes the receive work request in use with an error. */
    final void fail(WorkCompletionStatus status) {
        completion.failed(receive.id, status, queuePair.number());
        receiving = false;
        receives.complete();
        queuePair.receiveCompletions().post(completion);
    }
}
