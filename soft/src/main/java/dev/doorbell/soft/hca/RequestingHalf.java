package dev.doorbell.soft.hca;

import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The requesting half of a queue pair: takes work requests from the send ring in order and carries them out. Each
 * transport service has its own.
 *
 * <p>Every method is called with {@link #lock} held.
 */
abstract class RequestingHalf extends Padded {
    final EngineLock lock = new EngineLock(EngineLock.Level.REQUESTER);
    final Counters counters = new Counters();
    final RetryTimer timer;
    final SendQueue sends;

    RequestingHalf(Hca hca, SendQueue sends) {
        this.timer = new RetryTimer(hca);
        this.sends = sends;
    }

    /** Takes over changed attributes. */
    abstract void configure(QueuePairSettings changed);

    /** Begins to send: the queue pair goes from RTR to RTS. */
    abstract void start(QueuePairSettings changed);

    /** The peer is on this device now and was not before, or the other way round; nothing is under way. */
    void reroute() {}

    /**
     * Does what can be done now.
     *
     * @return a peer that was brought into error and must settle once all locks are released; there may be more, see
     *     {@link #nextFailedPeer}
     */
    abstract @Nullable HcaQueuePair run();

    /** The timer expired. The result is that of {@link #run}. */
    abstract @Nullable HcaQueuePair expire();

    /** An answer of the peer. The result is that of {@link #run}. */
    abstract @Nullable HcaQueuePair answer(PacketView packet);

    /** One more peer that must settle, after {@link #run} returned one. */
    @Nullable
    HcaQueuePair nextFailedPeer() {
        return null;
    }

    /** Completes every work request in error; the state is ERROR. */
    abstract void flush();

    /** Forgets every work request, without a completion, and empties the ring. */
    abstract void reset();

    /** Forgets every work request, without a completion; the ring stays as it is. */
    abstract void abandon();

    /** Whether work requests are under way. */
    abstract boolean isBusy();
}
