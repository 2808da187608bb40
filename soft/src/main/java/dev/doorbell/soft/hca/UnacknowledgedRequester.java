package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The requesting half of a service without acknowledgements: a work request is complete when its last packet has left.
 * Nobody slows such a sender down, so it waits by itself, for a while, where the link is nearly full.
 */
abstract class UnacknowledgedRequester extends RequestingHalf {
    final HcaQueuePair queuePair;
    private final SendCompletions completions;
    private final WorkRequest work;

    /** How often one work request waits for the link; afterwards it is sent all the same, and may be lost. */
    private final int patience;

    private QueuePairSettings settings;

    /** Whether {@link #work} is taken and not complete. */
    private boolean taken;

    private int waits;
    private int nextPsn;
    private boolean drained;

    UnacknowledgedRequester(
            HcaQueuePair queuePair, SendQueue sends, SendCompletions completions, int maxSge, int patience) {
        super(queuePair.hca(), sends);
        this.queuePair = queuePair;
        this.completions = completions;
        this.work = new WorkRequest(maxSge);
        this.patience = patience;
        this.settings = queuePair.settings();
    }

    /** Why this service cannot carry out a work request; SUCCESS if it can. */
    abstract WorkCompletionStatus check(WorkRequest request);

    /** How many packets a work request takes. */
    abstract int packets(WorkRequest request);

    /**
     * Carries out a work request, or goes on with it. One that fails gets its {@link WorkRequest#fate}.
     *
     * @return false if it must wait for the link; the timer runs then
     */
    abstract boolean carryOut(WorkRequest request);

    @Override
    void configure(QueuePairSettings changed) {
        settings = changed;
        drained = false;
    }

    @Override
    void start(QueuePairSettings changed) {
        nextPsn = changed.sendPsn;
        taken = false;
        configure(changed);
    }

    QueuePairSettings settings() {
        return settings;
    }

    @Override
    @Nullable
    HcaQueuePair run() {
        switch (queuePair.state()) {
            case RESET, INIT, RTR -> {}
            case RTS, SQD -> send();
            case SQE, ERROR -> flush();
        }
        return nextFailedPeer();
    }

    @Override
    @Nullable
    HcaQueuePair expire() {
        timer.stop();
        return run();
    }

    @Override
    @Nullable
    HcaQueuePair answer(PacketView packet) {
        counters.add(Counter.DROPPED_GHOST_ANSWER);
        return null;
    }

    @Override
    void flush() {
        timer.stop();
        if (taken) {
            taken = false;
            completions.fail(work.id, WorkCompletionStatus.WR_FLUSH_ERR);
        }
        for (int left = sends.capacity(); left > 0 && sends.hasNext(); left--) {
            sends.take(work);
            completions.fail(work.id, WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Override
    void reset() {
        abandon();
        sends.drop();
    }

    @Override
    void abandon() {
        timer.stop();
        taken = false;
    }

    @Override
    boolean isBusy() {
        return taken;
    }

    /**
     * Whether the next packet may leave now; if not, the timer runs.
     */
    final boolean maySend(Transmitter transmitter, Gid destination) {
        if (waits == patience || transmitter.hasRoom(destination)) {
            return true;
        }
        waits++;
        timer.awaitRoom();
        return false;
    }

    private void send() {
        carryOutAll();
        flushPackets();
    }

    /** Lets go of what was collected to be sent together. */
    abstract void flushPackets();

    private void carryOutAll() {
        while (timer.purpose() == RetryTimer.Purpose.IDLE && (taken || take())) {
            if (work.fate == WorkCompletionStatus.SUCCESS && !carryOut(work)) {
                return;
            }
            taken = false;
            if (work.fate != WorkCompletionStatus.SUCCESS) {
                completions.fail(work.id, work.fate);
                fail();
                return;
            }
            if (!completions.succeed(work)) {
                queuePair.overflowedByRequester();
                flush();
                return;
            }
        }
        if (!taken && queuePair.isDraining() && !drained) {
            drained = true;
            queuePair.drained();
        }
    }

    /** Takes the next work request out of the ring; false if there is none to start. */
    private boolean take() {
        if (!queuePair.sends() || !sends.hasNext()) {
            return false;
        }
        work.fate = sends.take(work);
        if (work.fate == WorkCompletionStatus.SUCCESS) {
            work.fate = check(work);
        }
        counters.add(Counter.RDMA_SENDS);
        taken = true;
        waits = 0;
        work.firstPsn = nextPsn;
        work.packets = work.fate == WorkCompletionStatus.SUCCESS ? packets(work) : 1;
        nextPsn = Psn.add(nextPsn, work.packets);
        return true;
    }

    /** Rule 3.9: what failed was reported; the others are flushed. Only the send queue stops. */
    private void fail() {
        queuePair.failedSends();
        flush();
    }
}
