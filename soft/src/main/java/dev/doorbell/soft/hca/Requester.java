package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The requesting half of a reliable connection: takes work requests from the send ring in order and carries them out at
 * the peer, by {@link DirectPath} or by packets. Rule numbers are those of docs/spec/transport.md.
 */
final class Requester extends RequestingHalf {
    private static final int FOR_EVER = 7;
    private static final int MOST_DOUBLINGS = 20;

    private final HcaQueuePair queuePair;
    private final MemoryRegions regions;
    private final SendCompletions completions;
    private final DirectPath direct;
    private final LocalOperations local;
    private final int maxSge;
    private final WorkRequest flushed;

    private Flight flight;
    private @Nullable PacketSender sender;
    private @Nullable Completer completer;
    private QueuePairSettings settings;
    private final SendingWindow window = new SendingWindow();
    private final SendQuantum quantum = new SendQuantum();
    private final RoundTrip roundTrip = new RoundTrip();

    /** How long nothing has been achieved, as far as timers have run out; and by how much longer each silence was borne. */
    private long silentNs;

    private int probes;

    /** Where the oldest packet stood when something was last achieved. */
    private int progressPsn;

    /** Whether the local ACK timeout ran out since something was achieved: then probing has not helped either. */
    private boolean gaveUpProbing;

    private int retriesLeft;
    private int rnrRetriesLeft;

    /** Whether something was achieved since the timer was started. */
    private boolean progressed;

    /** Whether the flight went back because of a NAK, and nothing was achieved since (rule 3.4, second NAK). */
    private boolean recovering;

    private boolean drained;

    Requester(HcaQueuePair queuePair, MemoryRegions regions, SendQueue sends, SendCompletions completions, int maxSge) {
        super(queuePair.hca(), sends);
        this.queuePair = queuePair;
        this.regions = regions;
        this.completions = completions;
        this.maxSge = maxSge;
        this.direct = new DirectPath(queuePair, regions);
        this.local = new LocalOperations(queuePair, regions, queuePair.hca().windows());
        this.settings = queuePair.settings();
        this.flushed = new WorkRequest(maxSge);
        this.flight = new Flight(1, maxSge);
    }

    @Override
    void configure(QueuePairSettings changed) {
        settings = changed;
        drained = false;
        quantum.configure(changed.mtuShift());
        reloadRetries();
        PacketSender packets = sender;
        if (packets != null) {
            packets.configure();
        }
    }

    @Override
    void start(QueuePairSettings changed) {
        route(changed.sendPsn);
        configure(changed);
    }

    /** Both ways take the same sequence numbers, so the other one goes on with the next. */
    @Override
    void reroute() {
        // It may still run for what was answered since; here it would hold up what is posted next.
        timer.stop();
        route(flight.takenPsn);
    }

    private void route(int firstPsn) {
        Transmitter transmitter = queuePair.newTransmitter();
        flight = new Flight(transmitter == null ? 1 : SendingWindow.MOST, maxSge);
        flight.start(firstPsn);
        recovering = false;
        window.start();
        roundTrip.start();
        progressPsn = firstPsn;
        sender = transmitter == null ? null : new PacketSender(queuePair, regions, transmitter);
        completer = transmitter == null ? null : new Completer(this, queuePair, regions);
    }

    @Override
    @Nullable
    HcaQueuePair run() {
        switch (queuePair.state()) {
            case RESET, INIT, RTR, SQE -> {}
            case RTS, SQD -> send();
            case ERROR -> flush();
        }
        return direct.takeAnswered();
    }

    @Override
    @Nullable
    HcaQueuePair expire() {
        RetryTimer.Purpose purpose = timer.purpose();
        timer.stop();
        boolean idle = flight.isEmpty();
        boolean goesOn = switch (purpose) {
            case IDLE, ROOM -> false;
            case ANSWER -> !idle && (progressed || timedOut());
            case PROBE -> !idle && (progressed || probe());
            case RECEIVER -> true;
        };
        return goesOn ? run() : null;
    }

    @Override
    @Nullable
    HcaQueuePair answer(PacketView packet) {
        Completer answers = completer;
        switch (queuePair.state()) {
            case RTS, SQD -> {
                if (answers != null) {
                    answers.accept(packet);
                }
            }
            case RESET, INIT, RTR, SQE, ERROR -> counters.add(Counter.DROPPED_QP_STATE);
        }
        return run();
    }

    @Override
    void flush() {
        timer.stop();
        while (!flight.isEmpty()) {
            completions.fail(flight.oldest().id, WorkCompletionStatus.WR_FLUSH_ERR);
            flight.remove();
        }
        for (int left = sends.capacity(); left > 0 && sends.hasNext(); left--) {
            sends.take(flushed);
            completions.fail(flushed.id, WorkCompletionStatus.WR_FLUSH_ERR);
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
        flight.start(0);
        sender = null;
        completer = null;
    }

    @Override
    boolean isBusy() {
        return !flight.isEmpty();
    }

    Flight flight() {
        return flight;
    }

    QueuePairSettings settings() {
        return settings;
    }

    private void send() {
        PacketSender packets = sender;
        if (packets == null) {
            while (timer.purpose() == RetryTimer.Purpose.IDLE && (!flight.isEmpty() || take())) {
                WorkRequest work = flight.oldest();
                if (work.fate != WorkCompletionStatus.SUCCESS) {
                    fail(work.fate);
                    return;
                }
                if (work.operation.isLocal()) {
                    executeLocally(work);
                } else {
                    conclude(direct.execute(work));
                }
            }
        } else {
            sendPackets(packets);
        }
        if (flight.isEmpty() && queuePair.isDraining()) {
            reportDrained();
        }
    }

    /** Takes the next work request out of the ring; false if there is none to start. */
    private boolean take() {
        if (!queuePair.sends() || flight.isFull() || !sends.hasNext()) {
            return false;
        }
        WorkRequest work = flight.add();
        work.fate = sends.take(work);
        if (work.fate == WorkCompletionStatus.SUCCESS
                && work.operation.takesResource()
                && settings.initiatorDepth == 0) {
            work.fate = WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        counters.add(Counter.RDMA_SENDS);
        flight.number(work, work.fate == WorkCompletionStatus.SUCCESS ? numbers(work) : 1, window.readChunk());
        return true;
    }

    /** Sequence numbers that a work request takes (rule 3.1). */
    private int numbers(WorkRequest work) {
        return work.operation.isLocal() ? 0 : settings.packets(work.length);
    }

    /** Carries out what needs no peer; it is the oldest work request. False if the queue pair is in error now. */
    private boolean executeLocally(WorkRequest work) {
        WorkCompletionStatus status = local.execute(work);
        if (status == WorkCompletionStatus.SUCCESS) {
            succeed();
        } else {
            fail(status);
        }
        return queuePair.state() != QueuePairState.ERROR;
    }

    private void sendPackets(PacketSender packets) {
        while (timer.purpose() != RetryTimer.Purpose.RECEIVER && (flight.hasUnsent() || take())) {
            WorkRequest work = flight.sending();
            if (work.fate == WorkCompletionStatus.SUCCESS && work.operation.isLocal()) {
                if (work == flight.oldest() && executeLocally(work)) {
                    continue;
                }
                break;
            }
            int psn = flight.sendPsn;
            int span = Flight.span(work, psn);
            if (work.fate != WorkCompletionStatus.SUCCESS || !mayStart(work, psn, span)) {
                break;
            }
            boolean ask = window.asks(flight.outstanding() + span, flight.unasked + 1);
            if (!packets.send(work, psn, span, ask)) {
                work.fate = WorkCompletionStatus.LOC_PROT_ERR;
                break;
            }
            counters.add(Counter.SENT_PKTS);
            boolean asks = ask || work.operation.isAnswered() || psn == work.lastPsn();
            boolean again = Psn.diff(psn, flight.endPsn) < 0;
            if (again) {
                counters.add(Counter.RESENT_PKTS);
            }
            if (asks && roundTrip.wants(again)) {
                roundTrip.sent(psn, queuePair.hca().nowNs());
            }
            flight.unasked = asks ? 0 : flight.unasked + 1;
            flight.answersDue += work.operation.takesResource() ? 1 : 0;
            flight.sent(span);
        }
        packets.flush();
        if (!flight.isEmpty() && flight.oldest().fate != WorkCompletionStatus.SUCCESS) {
            fail(flight.oldest().fate);
        } else if (flight.outstanding() > 0 && timer.purpose() == RetryTimer.Purpose.IDLE) {
            progressed = false;
            awaitAnswer();
        }
    }

    /** Rule 3.3, tail losses: silences that double, until the local ACK timeout is used up. */
    private void awaitAnswer() {
        long questionNs = roundTrip.questionNs();
        long timeoutNs = AckTimeout.nanos(settings.timeout);
        if (questionNs == RoundTrip.UNKNOWN || timeoutNs == Long.MAX_VALUE || gaveUpProbing) {
            timer.awaitAnswer(settings.timeout);
            return;
        }
        long silenceNs = questionNs << Math.min(probes, MOST_DOUBLINGS);
        if (silentNs + silenceNs < timeoutNs) {
            silentNs += silenceNs;
            timer.awaitSuspicion(silenceNs);
        } else {
            timer.awaitRest(Math.max(1, timeoutNs - silentNs));
        }
    }

    /** The peer is there. */
    private void hear() {
        if (roundTrip.hear() && timer.purpose() == RetryTimer.Purpose.ANSWER) {
            // It was to wait for the whole timeout, in want of anything better: the next packet starts it anew.
            timer.stop();
        }
    }

    /** Rule 3.3, tail losses: what follows nothing is missed by nobody, so one packet asks. It costs no retry. */
    private boolean probe() {
        counters.add(Counter.TAIL_PROBES);
        probes++;
        recovering = false;
        flight.rewind(window.readChunk());
        roundTrip.forget();
        window.ask();
        return true;
    }

    private boolean timedOut() {
        silentNs = 0;
        gaveUpProbing = true;
        return restart(false);
    }

    /** Rule 3.4: window, outstanding READs and atomics, fence. */
    private boolean mayStart(WorkRequest work, int psn, int span) {
        if (!window.hasRoom(flight.outstanding(), span)) {
            return false;
        }
        if (work.operation.takesResource() && flight.answersDue >= settings.initiatorDepth) {
            return false;
        }
        if (flight.answersDue > 0 && splitsEarlierRequest(work, psn)) {
            return false;
        }
        if (work.operation.isMessage() && isWorthWaiting(work, psn)) {
            return false;
        }
        return psn != work.firstPsn || !work.has(SendFlag.FENCE) || !flight.hasEarlierAnswersDue();
    }

    /**
     * Rule 3.6, READ: whether this asks for a part of what one request has asked for before. Such parts go one after the other:
     * rxe forgets what lies before the last part that it was asked for, and never answers a request for it again.
     */
    private boolean splitsEarlierRequest(WorkRequest work, int psn) {
        return work.operation == Operation.READ
                && work.readChunk < work.firstReadChunk
                && Psn.diff(psn, flight.endPsn) < 0;
    }

    /** Whether more room will come, since an answer is under way, and a send would profit. */
    private boolean isWorthWaiting(WorkRequest work, int psn) {
        int outstanding = flight.outstanding();
        return outstanding > flight.unasked
                && quantum.waits(Psn.diff(psn, work.firstPsn), work.packets, window.room(outstanding), outstanding);
    }

    private void conclude(Verdict verdict) {
        switch (verdict) {
            case ACCEPTED, DUPLICATE -> succeed();
            case OUT_OF_SEQUENCE -> {
                counters.add(Counter.RCVD_SEQ_ERR);
                restart(false);
            }
            case NOT_READY -> awaitReceiver(direct.rnrTimer());
            case INVALID_REQUEST -> fail(WorkCompletionStatus.REM_INV_REQ_ERR);
            case ACCESS_ERROR -> fail(WorkCompletionStatus.REM_ACCESS_ERR);
            case OPERATIONAL_ERROR -> fail(WorkCompletionStatus.REM_OP_ERR);
            case WITHDRAWN -> fail(WorkCompletionStatus.LOC_PROT_ERR);
            case SILENT -> {
                progressed = false;
                timer.awaitAnswer(settings.timeout);
            }
        }
    }

    /** The oldest work request is done. */
    void succeed() {
        WorkRequest work = flight.oldest();
        progress();
        boolean visible = completions.succeed(work);
        flight.remove();
        if (!visible) {
            queuePair.overflowedByRequester();
            flush();
        }
    }

    /** Rule 3.3: both counts start again when something was achieved. */
    void progress() {
        progressed = true;
        recovering = false;
        silentNs = 0;
        probes = 0;
        gaveUpProbing = false;
        window.progress(Psn.diff(flight.oldestPsn, progressPsn));
        progressPsn = flight.oldestPsn;
        if (roundTrip.isAnswered(flight.oldestPsn)) {
            roundTrip.answered(queuePair.hca().nowNs());
        }
        hear();
        reloadRetries();
    }

    private void reloadRetries() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
    }

    /** Rule 3.4: a packet was lost, says the peer or what it sent. Whoever is recovering already is told in vain. */
    void recover() {
        hear();
        if (!recovering && timer.purpose() != RetryTimer.Purpose.RECEIVER && restart(true)) {
            counters.add(Counter.COMPLETER_RETRY_ERR);
        }
    }

    /** Rule 3.3: back to the oldest packet, for one retry less; false if there was none left and it has failed. */
    private boolean restart(boolean told) {
        if (retriesLeft-- <= 0) {
            counters.add(Counter.RETRY_EXCEEDED_ERR);
            fail(WorkCompletionStatus.RETRY_EXC_ERR);
            return false;
        }
        recovering = told;
        window.lost();
        roundTrip.forget();
        flight.rewind(window.readChunk());
        return true;
    }

    /** Rule 3.3: the receiver is not ready; 7 waits for it as often as it takes. */
    void awaitReceiver(int timerCode) {
        if (timer.purpose() == RetryTimer.Purpose.RECEIVER) {
            return;
        }
        counters.add(Counter.RCVD_RNR_ERR);
        if (settings.rnrRetry != FOR_EVER && rnrRetriesLeft-- <= 0) {
            counters.add(Counter.RETRY_RNR_EXCEEDED_ERR);
            fail(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        } else {
            flight.rewind(window.readChunk());
            roundTrip.forget();
            timer.awaitReceiver(timerCode);
        }
    }

    /** Rule 3.8: the first work request that fails says why; the queue pair is in error and flushes the others. */
    void fail(WorkCompletionStatus status) {
        timer.stop();
        completions.fail(flight.oldest().id, status);
        flight.remove();
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
