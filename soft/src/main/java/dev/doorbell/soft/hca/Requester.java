package dev.doorbell.soft.hca;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * The requesting half of a reliable connection: takes work requests from the send ring in order and carries them out at
 * the peer. Rule numbers are those of docs/spec/transport.md.
 *
 * <p>Every method is called with {@link #lock} held, unless it says otherwise.
 */
final class Requester extends Padded {
    private static final int FOR_EVER = 7;

    final SpinLock lock = new SpinLock();
    final Counters counters = new Counters();
    final RetryTimer timer;

    private final HcaQueuePair queuePair;
    private final SendQueue sends;
    private final SendCompletions completions;
    private final DirectPath direct;
    private final WorkRequest current;

    private QueuePairSettings settings;
    private int mtuShift;
    private int nextPsn;
    private int retriesLeft;
    private int rnrRetriesLeft;

    /** Whether {@link #current} holds a work request that is not complete. */
    private boolean busy;

    private boolean drained;

    Requester(HcaQueuePair queuePair, MemoryRegions regions, SendQueue sends, SendCompletions completions, int maxSge) {
        this.queuePair = queuePair;
        this.sends = sends;
        this.completions = completions;
        this.current = new WorkRequest(maxSge);
        this.direct = new DirectPath(queuePair, regions);
        this.timer = new RetryTimer(queuePair.hca());
        this.settings = queuePair.settings();
    }

    /** Takes over changed attributes. */
    void configure(QueuePairSettings changed, boolean restart) {
        settings = changed;
        mtuShift = changed.pathMtu + 7;
        drained = false;
        if (restart) {
            nextPsn = changed.sendPsn;
        }
        reloadRetries();
    }

    /**
     * Does what can be done now.
     *
     * @return a peer that was brought into error and must settle once all locks are released
     */
    @Nullable
    HcaQueuePair run() {
        switch (queuePair.state()) {
            case RESET, INIT, RTR, SQE -> {}
            case RTS, SQD -> send();
            case ERROR -> flush();
        }
        return direct.takeAnswered();
    }

    /** The timer expired. The result is that of {@link #run}. */
    @Nullable
    HcaQueuePair expire() {
        RetryTimer.Purpose purpose = timer.purpose();
        timer.stop();
        boolean goesOn = switch (purpose) {
            case IDLE -> false;
            case ANSWER -> retry();
            case RECEIVER -> true;
        };
        return goesOn ? run() : null;
    }

    /** Completes every work request in error; the state is ERROR. */
    void flush() {
        timer.stop();
        if (busy) {
            busy = false;
            completions.fail(current.id, WorkCompletionStatus.WR_FLUSH_ERR);
        }
        while (sends.hasNext()) {
            sends.take(current);
            completions.fail(current.id, WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    /** Forgets every work request, without a completion. */
    void reset() {
        timer.stop();
        busy = false;
        sends.drop();
    }

    /** Whether work requests are under way. */
    boolean isBusy() {
        return busy;
    }

    private void send() {
        while (timer.purpose() == RetryTimer.Purpose.IDLE && advance()) {
            conclude(direct.execute(current));
        }
    }

    /** Makes {@link #current} the oldest work request that is not complete; false if there is none to carry out. */
    private boolean advance() {
        if (busy) {
            return true;
        }
        if (queuePair.isDraining()) {
            reportDrained();
            return false;
        }
        if (!queuePair.sends() || !sends.hasNext()) {
            return false;
        }
        WorkCompletionStatus status = sends.take(current);
        busy = true;
        if (status != WorkCompletionStatus.SUCCESS) {
            fail(status);
            return false;
        }
        counters.add(Counter.RDMA_SENDS);
        current.firstPsn = nextPsn;
        current.packets = packets(current.length);
        nextPsn = Psn.add(nextPsn, current.packets);
        return true;
    }

    /** Rule 3.1: a message takes one sequence number a packet, at least one. */
    private int packets(long length) {
        return length == 0 ? 1 : (int) ((length - 1 >>> mtuShift) + 1);
    }

    private void conclude(Verdict verdict) {
        switch (verdict) {
            case ACCEPTED, DUPLICATE -> succeed();
            case OUT_OF_SEQUENCE -> {
                counters.add(Counter.RCVD_SEQ_ERR);
                retry();
            }
            case NOT_READY -> awaitReceiver();
            case INVALID_REQUEST -> fail(WorkCompletionStatus.REM_INV_REQ_ERR);
            case ACCESS_ERROR -> fail(WorkCompletionStatus.REM_ACCESS_ERR);
            case OPERATIONAL_ERROR -> fail(WorkCompletionStatus.REM_OP_ERR);
            case WITHDRAWN -> fail(WorkCompletionStatus.LOC_PROT_ERR);
            case SILENT -> timer.awaitAnswer(settings.timeout);
        }
    }

    private void succeed() {
        busy = false;
        reloadRetries();
        if (!completions.succeed(current)) {
            queuePair.failedByRequester();
        }
    }

    /** Rule 3.3: both counts start again when something was achieved. */
    private void reloadRetries() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
    }

    /** Rule 3.3: one retry less; false if there was none, and the work request has failed. */
    private boolean retry() {
        if (retriesLeft-- > 0) {
            counters.add(Counter.COMPLETER_RETRY_ERR);
            return true;
        }
        counters.add(Counter.RETRY_EXCEEDED_ERR);
        fail(WorkCompletionStatus.RETRY_EXC_ERR);
        return false;
    }

    /** Rule 3.3: 7 waits for a receiver as often as it takes. */
    private void awaitReceiver() {
        counters.add(Counter.RCVD_RNR_ERR);
        if (settings.rnrRetry != FOR_EVER && rnrRetriesLeft-- <= 0) {
            counters.add(Counter.RETRY_RNR_EXCEEDED_ERR);
            fail(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        } else {
            timer.awaitReceiver(direct.rnrTimer());
        }
    }

    /** Rule 3.8: the first work request that fails says why; the queue pair is in error and flushes the others. */
    private void fail(WorkCompletionStatus status) {
        busy = false;
        timer.stop();
        completions.fail(current.id, status);
        queuePair.failedByRequester();
        flush();
    }

    /** Rule 3.9. */
    private void reportDrained() {
        if (!drained) {
            drained = true;
            queuePair.drained();
        }
    }
}
