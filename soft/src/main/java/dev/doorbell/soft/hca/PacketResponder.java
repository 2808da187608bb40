package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The wire's side of a {@link Responder}: turns request packets into requests, and verdicts into answers. Belongs to
 * the responder and its lock.
 */
final class PacketResponder extends Padded {
    /** Packets of an answer that are sent at a time; a longer one is resumed, so that others get their turn. */
    private static final int BURST = 64;

    /** Answers that may wait behind an unfinished READ response at least; twice the depth of READs if that is more. */
    private static final int WAITING = 16;

    /** Packets of unfinished READ responses that still go out before a refusal which ends the connection. */
    private static final int LAST_BURSTS = 16;

    private final HcaQueuePair queuePair;
    private final Responder responder;
    private final InboundRequest request;
    private final InboundRequest reading;
    private final AnswerWriter answers;
    private final WaitingAnswers waiting;
    private ReplayResources replays;
    private QueuePairSettings settings;

    private boolean ackDue;
    private int ackPsn;

    /** Whether an acknowledgement became due since {@link #resume}. */
    private boolean ackNew;

    private final ReplyHabit habit = new ReplyHabit();

    /** The next packet of {@link #reading} to send; {@code reading.packets} if there is none. */
    private int readIndex;

    /** The count of messages when {@link #reading} was executed. */
    private int readMessages;

    PacketResponder(HcaQueuePair queuePair, MemoryRegions regions, Responder responder, Transmitter transmitter) {
        this.queuePair = queuePair;
        this.responder = responder;
        this.settings = queuePair.settings();
        this.request = new InboundRequest(regions);
        this.reading = new InboundRequest(regions);
        this.answers = new AnswerWriter(queuePair, regions, transmitter, responder.counters);
        this.replays = new ReplayResources(settings.maxDestReadAtomic);
        this.waiting = new WaitingAnswers(Math.max(WAITING, 2 * settings.maxDestReadAtomic));
    }

    /** Takes over changed attributes. */
    void configure(QueuePairSettings changed) {
        settings = changed;
        answers.configure();
        // More of them may be granted while the send queue is drained.
        replays = replays.withRoomFor(changed.maxDestReadAtomic);
    }

    /**
     * Takes one request packet.
     *
     * @return whether {@link #resume} has something to do
     */
    boolean accept(PacketView packet) {
        if (!queuePair.isReceiving()) {
            responder.counters.add(Counter.DROPPED_QP_STATE);
            return false;
        }
        read(packet);
        answer(responder.accept(request), packet);
        return ackDue || isReading() || answers.isHolding();
    }

    /**
     * Sends what was held back: an acknowledgement, or the rest of a READ response. The result is that of accept.
     *
     * @param carrier what an acknowledgement may leave through, together with others; the caller flushes it
     * @param patient whether an acknowledgement may wait for what the program sends
     */
    boolean resume(@Nullable Transmitter carrier, long nowNs, boolean patient) {
        if (ackNew) {
            ackNew = false;
            habit.message(nowNs);
        }
        if (!queuePair.isReceiving()) {
            finish();
            return false;
        }
        if (patient && isAckAlone() && habit.mayWait(nowNs)) {
            return true;
        }
        if (carrier != null && isAckAlone()) {
            ackDue = false;
            habit.acknowledged();
            answers.acknowledgeThrough(carrier, ackPsn, responder.messages());
            return false;
        }
        if (isReading()) {
            sendBurst();
        }
        if (!isReading()) {
            flushAck();
        }
        answers.flush();
        return isReading();
    }

    /** Whether {@link #reply} has something to do. Any thread. */
    boolean awaitsReply() {
        return habit.isOpen();
    }

    /** Whether a reply had better leave before {@link #reply} is called, since nothing will be added to it. Any thread. */
    boolean repliesAlone() {
        return habit.goesAlone();
    }

    /** The queue pair sends something of its own: an acknowledgement that is held back goes with it, unless it can wait on. */
    void reply(Transmitter transmitter, long nowNs) {
        boolean acknowledges = habit.reply(nowNs);
        if (acknowledges && isAckAlone() && queuePair.isReceiving()) {
            ackDue = false;
            answers.acknowledgeThrough(transmitter, ackPsn, responder.messages());
        }
    }

    /** Whether an acknowledgement is due, and no answer that it must not overtake. */
    private boolean isAckAlone() {
        return ackDue && !isReading() && !answers.isHolding();
    }

    /**
     * Nothing more will be sent. What was taken is acknowledged before: the program has been told of it, and the peer would
     * ask for it until its retries are used up, or for ever. Gives back what the link lent.
     */
    void finish() {
        if (isAckAlone()) {
            flushAck();
        }
        forget();
        answers.flush();
    }

    private void forget() {
        ackDue = false;
        forgetReads();
    }

    /** Rule 3.5: later answers may not overtake an unfinished READ response. */
    private boolean isReading() {
        return readIndex < reading.packets;
    }

    private void answer(Verdict verdict, PacketView packet) {
        switch (verdict) {
            case ACCEPTED -> accepted(packet.ackRequested());
            case DUPLICATE -> duplicate();
            case OUT_OF_SEQUENCE -> refuse(responder.expectedPsn(), Syndrome.NAK_PSN_SEQUENCE);
            case NOT_READY -> refuse(request.psn, Syndrome.rnr(settings.minRnrTimer));
            case INVALID_REQUEST -> refuseForGood(Syndrome.NAK_INVALID_REQUEST);
            case ACCESS_ERROR -> refuseForGood(Syndrome.NAK_REMOTE_ACCESS);
            case OPERATIONAL_ERROR -> refuseForGood(Syndrome.NAK_REMOTE_OPERATIONAL);
            case WITHDRAWN, SILENT -> {}
        }
    }

    private void accepted(boolean ackRequested) {
        switch (request.operation) {
            case SEND, WRITE -> {
                if (ackRequested) {
                    // Rule 3.5: acknowledgements may wait for each other; the last one covers the others.
                    ackDue = true;
                    ackNew = true;
                    ackPsn = request.psn;
                }
            }
            case READ -> {
                replays.addRead(request);
                startReading();
            }
            case COMPARE_SWAP, FETCH_ADD -> {
                replays.addAtomic(request);
                answerAtomic(request.original);
            }
            case ATOMIC_WRITE -> {
                replays.addAtomic(request);
                answerEmpty();
            }
            case FLUSH -> answerEmpty();
            case BIND, INVALIDATE -> {}
        }
    }

    private void answerEmpty() {
        flushAck();
        if (isReading()) {
            waiting.addEmpty(request.psn, responder.messages());
        } else {
            answers.emptyResponse(request.psn, Syndrome.ACK, responder.messages());
        }
    }

    private void answerAtomic(long original) {
        flushAck();
        if (isReading()) {
            waiting.addAtomic(request.psn, responder.messages(), original);
        } else {
            answers.atomicAnswer(request.psn, Syndrome.ACK, responder.messages(), original);
        }
    }

    private void acknowledge(int psn, int syndrome) {
        if (isReading()) {
            waiting.addAcknowledge(psn, syndrome, responder.messages());
        } else {
            answers.acknowledge(psn, syndrome, responder.messages());
        }
    }

    /** Rule 3.6. */
    private void duplicate() {
        flushAck();
        switch (request.operation) {
            case SEND, WRITE -> acknowledge(responder.lastMessagePsn(), Syndrome.ACK);
            case READ -> {
                if (!request.badLength && replays.covers(request) && responder.locateAnswer(request)) {
                    startReading();
                } else {
                    responder.counters.add(Counter.DROPPED_UNKNOWN_DUPLICATE);
                }
            }
            case ATOMIC_WRITE -> {
                if (replays.findAtomic(request.psn) >= 0) {
                    answerEmpty();
                } else {
                    responder.counters.add(Counter.DROPPED_UNKNOWN_DUPLICATE);
                }
            }
            case FLUSH ->
                answerEmpty(); // it was done, and what it may name by now is of no interest: rxe says address 0
            case BIND, INVALIDATE -> {}
            case COMPARE_SWAP, FETCH_ADD -> {
                int slot = replays.findAtomic(request.psn);
                if (slot >= 0) {
                    answerAtomic(replays.original(slot));
                } else {
                    responder.counters.add(Counter.DROPPED_UNKNOWN_DUPLICATE);
                }
            }
        }
    }

    private void refuse(int psn, int syndrome) {
        flushAck();
        acknowledge(psn, syndrome);
        answers.flush();
    }

    /** The queue pair is in error already; what it owes from before goes out first, as far as that takes no time. */
    private void refuseForGood(int syndrome) {
        for (int burst = 0; burst < LAST_BURSTS && isReading(); burst++) {
            sendBurst();
        }
        forgetReads();
        refuse(request.psn, syndrome);
    }

    private void forgetReads() {
        readIndex = reading.packets;
        waiting.clear();
    }

    private void flushAck() {
        if (ackDue) {
            ackDue = false;
            habit.acknowledged();
            acknowledge(ackPsn, Syndrome.ACK);
        }
    }

    private void startReading() {
        flushAck();
        if (isReading()) {
            waiting.addRead(request, responder.messages());
            return;
        }
        reading.psn = request.psn;
        reading.packets = request.packets;
        reading.messageBytes = request.messageBytes;
        reading.remoteAddress = request.remoteAddress;
        reading.remoteKey = request.remoteKey;
        begin(responder.messages());
        sendBurst();
    }

    private void begin(int messages) {
        readIndex = 0;
        readMessages = messages;
    }

    private void sendBurst() {
        int left = BURST;
        while (left > 0 && isReading()) {
            int end = Math.min(reading.packets, readIndex + left);
            left -= end - readIndex;
            if (!sendTo(end)) {
                return;
            }
            if (!isReading()) {
                sendWaiting();
            }
        }
    }

    /** Sends the packets of the READ response up to that one; false if the memory is gone and the connection has failed. */
    private boolean sendTo(int end) {
        // The memory is looked up anew: it may have been deregistered since the last burst.
        boolean there = responder.locateAnswer(reading);
        while (there && readIndex < end) {
            there = answers.readResponse(reading, readIndex, Syndrome.ACK, readMessages);
            readIndex += there ? 1 : 0;
        }
        if (!there) {
            // Rule 3.4, order of NAK and responses: the number of the response that is due.
            int due = Psn.add(reading.psn, readIndex);
            forget();
            responder.refuseAnswer();
            answers.acknowledge(due, Syndrome.NAK_REMOTE_ACCESS, responder.messages());
            answers.flush();
        }
        return there;
    }

    /** Says what waited for the end of a READ response, up to the next one. */
    private void sendWaiting() {
        while (!waiting.isEmpty() && !isReading()) {
            int psn = waiting.psn();
            int messages = waiting.messages();
            switch (waiting.kind()) {
                case ACKNOWLEDGE -> answers.acknowledge(psn, waiting.syndrome(), messages);
                case ATOMIC -> answers.atomicAnswer(psn, Syndrome.ACK, messages, waiting.original());
                case EMPTY -> answers.emptyResponse(psn, Syndrome.ACK, messages);
                case READ -> {
                    waiting.copyRead(reading);
                    begin(messages);
                }
            }
            waiting.remove();
        }
    }

    private void read(PacketView packet) {
        int opcode = packet.opcode();
        request.read(packet);
        if (Opcode.isSend(opcode) || Opcode.isWrite(opcode)) {
            request.readMessage(packet, 1 << settings.mtuShift());
        } else {
            readAnswered(packet, opcode);
        }
    }

    private void readAnswered(PacketView packet, int opcode) {
        request.first = true;
        request.last = true;
        request.badLength = packet.payloadLength() != 0;
        if (opcode == Opcode.RC_READ_REQUEST) {
            request.operation = Operation.READ;
            request.packets = settings.packets(request.messageBytes);
            request.badLength |= request.packets > Psn.MAX_OUTSTANDING;
        } else if (opcode == Opcode.RC_ATOMIC_WRITE) {
            request.operation = Operation.ATOMIC_WRITE;
            request.badLength = packet.payloadLength() != Long.BYTES;
        } else if (opcode == Opcode.RC_FLUSH) {
            request.operation = Operation.FLUSH;
            request.placement = packet.flushPlacement();
            request.selectivity = packet.flushSelectivity();
        } else {
            boolean swaps = opcode == Opcode.RC_COMPARE_SWAP;
            request.operation = swaps ? Operation.COMPARE_SWAP : Operation.FETCH_ADD;
            request.swap = packet.swapOrAdd();
            request.compareAdd = swaps ? packet.compare() : packet.swapOrAdd();
        }
    }
}
