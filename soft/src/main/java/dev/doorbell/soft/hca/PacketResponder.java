package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.wire.PacketView;

/**
 * The wire's side of a {@link Responder}: turns request packets into requests, and verdicts into answers. Belongs to
 * the responder and its lock.
 */
final class PacketResponder extends Padded {
    /** Packets of an answer that are sent at a time; a longer one is resumed, so that others get their turn. */
    private static final int BURST = 64;

    private final HcaQueuePair queuePair;
    private final Responder responder;
    private final InboundRequest request;
    private final InboundRequest reading;
    private final AnswerWriter answers;
    private ReplayResources replays;
    private QueuePairSettings settings;

    private boolean ackDue;
    private int ackPsn;

    /** The next packet of {@link #reading} to send; {@code reading.packets} if there is none. */
    private int readIndex;

    PacketResponder(HcaQueuePair queuePair, MemoryRegions regions, Responder responder, Transmitter transmitter) {
        this.queuePair = queuePair;
        this.responder = responder;
        this.settings = queuePair.settings();
        this.request = new InboundRequest(regions);
        this.reading = new InboundRequest(regions);
        this.answers = new AnswerWriter(queuePair, regions, transmitter, responder.counters);
        this.replays = new ReplayResources(settings.maxDestReadAtomic);
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
        // Rule 3.5: later answers may not overtake an unfinished READ response.
        while (isReading() && queuePair.isReceiving()) {
            sendBurst();
        }
        if (!queuePair.isReceiving()) {
            responder.counters.add(Counter.DROPPED_QP_STATE);
            return false;
        }
        read(packet);
        answer(responder.accept(request), packet);
        return ackDue || isReading() || answers.isHolding();
    }

    /** Sends what was held back: an acknowledgement, or the rest of a READ response. The result is that of accept. */
    boolean resume() {
        if (queuePair.isReceiving()) {
            flushAck();
            if (isReading()) {
                sendBurst();
            }
        } else {
            ackDue = false;
            readIndex = reading.packets;
        }
        answers.flush();
        return isReading();
    }

    /** Nothing more will be sent: gives back what the link lent. */
    void discard() {
        answers.flush();
    }

    private boolean isReading() {
        return readIndex < reading.packets;
    }

    private void answer(Verdict verdict, PacketView packet) {
        switch (verdict) {
            case ACCEPTED -> accepted(packet.ackRequested());
            case DUPLICATE -> duplicate();
            case OUT_OF_SEQUENCE -> refuse(responder.expectedPsn(), Syndrome.NAK_PSN_SEQUENCE);
            case NOT_READY -> refuse(request.psn, Syndrome.rnr(settings.minRnrTimer));
            case INVALID_REQUEST -> refuse(request.psn, Syndrome.NAK_INVALID_REQUEST);
            case ACCESS_ERROR -> refuse(request.psn, Syndrome.NAK_REMOTE_ACCESS);
            case OPERATIONAL_ERROR -> refuse(request.psn, Syndrome.NAK_REMOTE_OPERATIONAL);
            case WITHDRAWN, SILENT -> {}
        }
    }

    private void accepted(boolean ackRequested) {
        switch (request.operation) {
            case SEND, WRITE -> {
                if (ackRequested) {
                    // Rule 3.5: acknowledgements may wait for each other; the last one covers the others.
                    ackDue = true;
                    ackPsn = request.psn;
                }
            }
            case READ -> {
                replays.addRead(request);
                startReading();
            }
            case COMPARE_SWAP, FETCH_ADD -> {
                replays.addAtomic(request);
                flushAck();
                answers.atomicAnswer(request.psn, Syndrome.ACK, responder.messages(), request.original);
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
        answers.emptyResponse(request.psn, Syndrome.ACK, responder.messages());
    }

    /** Rule 3.6. */
    private void duplicate() {
        flushAck();
        switch (request.operation) {
            case SEND, WRITE -> answers.acknowledge(responder.lastMessagePsn(), Syndrome.ACK, responder.messages());
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
                    answers.atomicAnswer(request.psn, Syndrome.ACK, responder.messages(), replays.original(slot));
                } else {
                    responder.counters.add(Counter.DROPPED_UNKNOWN_DUPLICATE);
                }
            }
        }
    }

    private void refuse(int psn, int syndrome) {
        flushAck();
        answers.acknowledge(psn, syndrome, responder.messages());
        answers.flush();
    }

    private void flushAck() {
        if (ackDue) {
            ackDue = false;
            answers.acknowledge(ackPsn, Syndrome.ACK, responder.messages());
        }
    }

    private void startReading() {
        flushAck();
        reading.psn = request.psn;
        reading.packets = request.packets;
        reading.messageBytes = request.messageBytes;
        reading.remoteAddress = request.remoteAddress;
        reading.remoteKey = request.remoteKey;
        readIndex = 0;
        sendBurst();
    }

    private void sendBurst() {
        // The memory is looked up anew: it may have been deregistered since the last burst.
        boolean there = responder.locateAnswer(reading);
        int end = Math.min(reading.packets, readIndex + BURST);
        while (there && readIndex < end) {
            there = answers.readResponse(reading, readIndex, Syndrome.ACK, responder.messages());
            readIndex += there ? 1 : 0;
        }
        if (!there) {
            // Rule 3.4, order of NAK and responses: the number of the response that is due.
            int due = Psn.add(reading.psn, readIndex);
            readIndex = reading.packets;
            responder.refuseAnswer();
            answers.acknowledge(due, Syndrome.NAK_REMOTE_ACCESS, responder.messages());
            answers.flush();
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
