package dev.doorbell.soft.hca;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;

/**
 * Takes the peer's answers: acknowledgements, refusals, READ responses, atomic results (rule 3.4). Belongs to the
 * requester and its lock.
 */
final class Completer extends Padded {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.bit();

    private final Requester requester;
    private final HcaQueuePair queuePair;
    private final MemoryCursor source;
    private final MemoryCursor target;
    private final Transfer transfer;
    private final MemorySegment word = Scratch.take(Long.BYTES);

    Completer(Requester requester, HcaQueuePair queuePair, MemoryRegions regions) {
        this.requester = requester;
        this.queuePair = queuePair;
        this.source = new MemoryCursor(regions);
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
    }

    /** Takes one answer. */
    void accept(PacketView packet) {
        Flight flight = requester.flight();
        int psn = packet.psn();
        // Rule 3.4: older than the oldest outstanding is a ghost, newer than anything sent must not be acted on.
        if (Psn.diff(psn, flight.oldestPsn) < 0 || Psn.diff(psn, flight.endPsn) >= 0) {
            requester.counters.add(Counter.DROPPED_GHOST_ANSWER);
            return;
        }
        int opcode = packet.opcode();
        if (Opcode.has(opcode, ExtendedHeader.AETH)) {
            int syndrome = packet.syndrome();
            if (Syndrome.isRnr(syndrome)) {
                notReady(psn, syndrome);
                return;
            }
            if (Syndrome.isNak(syndrome)) {
                refused(psn, syndrome);
                return;
            }
            if (!Syndrome.isAck(syndrome)) {
                requester.counters.add(Counter.DROPPED_MALFORMED);
                return;
            }
        }
        if (Opcode.isReadResponse(opcode)) {
            readResponse(packet);
        } else if (opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            atomicAnswer(packet);
        } else {
            acknowledge(psn, psn);
        }
    }

    private void notReady(int psn, int syndrome) {
        if (acknowledge(Psn.add(psn, -1), psn) && holds(psn)) {
            requester.awaitReceiver(Syndrome.value(syndrome));
        }
    }

    private void refused(int psn, int syndrome) {
        if (!acknowledge(Psn.add(psn, -1), psn) || !holds(psn)) {
            return;
        }
        switch (syndrome) {
            case Syndrome.NAK_PSN_SEQUENCE -> {
                requester.counters.add(Counter.RCVD_SEQ_ERR);
                requester.recover();
            }
            case Syndrome.NAK_INVALID_REQUEST -> requester.fail(WorkCompletionStatus.REM_INV_REQ_ERR);
            case Syndrome.NAK_REMOTE_ACCESS -> requester.fail(WorkCompletionStatus.REM_ACCESS_ERR);
            default -> requester.fail(WorkCompletionStatus.REM_OP_ERR);
        }
    }

    /** Whether the oldest work request is the one that took this number. */
    private boolean holds(int psn) {
        Flight flight = requester.flight();
        return !flight.isEmpty() && Psn.inRange(psn, flight.oldest().firstPsn, flight.oldest().packets);
    }

    /**
     * Rule 3.4: completes every SEND and WRITE up to {@code last}. It never completes a READ or an atomic: one that lies
     * before {@code answered}, to which the peer has come already, has lost its answer and is asked for again.
     *
     * @return false if that happened, or the queue pair failed: then the packet has nothing more to say
     */
    private boolean acknowledge(int last, int answered) {
        Flight flight = requester.flight();
        while (!flight.isEmpty() && Psn.diff(answered, flight.oldestPsn) >= 0) {
            WorkRequest oldest = flight.oldest();
            if (oldest.operation.isAnswered()) {
                boolean lost = Psn.diff(answered, oldest.lastPsn()) > 0;
                if (lost) {
                    requester.recover();
                }
                return !lost;
            }
            if (Psn.diff(last, oldest.lastPsn()) < 0) {
                if (Psn.diff(last, flight.oldestPsn) >= 0) {
                    flight.advance(Psn.next(last));
                    requester.progress();
                }
                return true;
            }
            finish(oldest);
        }
        return true;
    }

    private void finish(WorkRequest oldest) {
        requester.flight().advance(Psn.next(oldest.lastPsn()));
        requester.succeed();
    }

    /** Rule 3.4, READ response: taken in order of its number, wherever in the message its code says it is. */
    private void readResponse(PacketView packet) {
        int psn = packet.psn();
        if (!acknowledge(Psn.add(psn, -1), psn) || requester.flight().isEmpty()) {
            return;
        }
        Flight flight = requester.flight();
        WorkRequest work = flight.oldest();
        if (holds(psn) && isAnsweredEmpty(work.operation)) {
            acceptEmpty(work, packet);
            return;
        }
        if (work.operation != Operation.READ || !holds(psn)) {
            requester.fail(WorkCompletionStatus.BAD_RESP_ERR);
            return;
        }
        if (psn != flight.oldestPsn) {
            // A hole: what was lost is asked for again (implied NAK).
            requester.recover();
            return;
        }
        int mtuShift = requester.settings().mtuShift();
        long position = (long) work.answered << mtuShift;
        if (packet.payloadLength() != Math.min(1L << mtuShift, work.length - position)) {
            requester.fail(WorkCompletionStatus.BAD_RESP_ERR);
            return;
        }
        source.range(packet.segment(), packet.payloadOffset(), packet.payloadLength());
        if (!scatter(work, position, packet.payloadLength())) {
            requester.fail(WorkCompletionStatus.LOC_PROT_ERR);
            return;
        }
        boolean endsChunk = Flight.span(work, psn) == 1;
        if (endsChunk && flight.answersDue > 0) {
            flight.answersDue--;
        }
        work.answered++;
        if (work.answered == work.packets) {
            finish(work);
        } else {
            flight.advance(Psn.next(psn));
            requester.progress();
        }
    }

    private static boolean isAnsweredEmpty(Operation operation) {
        return operation == Operation.ATOMIC_WRITE || operation == Operation.FLUSH;
    }

    /** Rule 3.15: a READ response without payload answers ATOMIC WRITE and FLUSH. */
    private void acceptEmpty(WorkRequest work, PacketView packet) {
        if (packet.opcode() != Opcode.RC_READ_RESPONSE_ONLY || packet.payloadLength() != 0) {
            requester.fail(WorkCompletionStatus.BAD_RESP_ERR);
            return;
        }
        answered(work);
        finish(work);
    }

    /** An answer has come that took a resource of the responder. */
    private void answered(WorkRequest work) {
        Flight flight = requester.flight();
        if (work.operation.takesResource() && flight.answersDue > 0) {
            flight.answersDue--;
        }
    }

    private void atomicAnswer(PacketView packet) {
        int psn = packet.psn();
        if (!acknowledge(Psn.add(psn, -1), psn) || requester.flight().isEmpty()) {
            return;
        }
        WorkRequest work = requester.flight().oldest();
        if (!work.operation.isAtomic() || !holds(psn)) {
            requester.fail(WorkCompletionStatus.BAD_RESP_ERR);
            return;
        }
        // Rule 3.7: a number on the wire, in this machine's order in memory.
        Host.setLong(word, 0, packet.original());
        source.range(word, 0, Long.BYTES);
        if (!scatter(work, 0, Long.BYTES)) {
            requester.fail(WorkCompletionStatus.LOC_PROT_ERR);
            return;
        }
        answered(work);
        finish(work);
    }

    private boolean scatter(WorkRequest work, long position, long bytes) {
        target.elements(work.sges, queuePair.domain(), LOCAL_WRITE);
        target.seek(position);
        return transfer.copy(source, target, bytes) == Transfer.Outcome.DONE;
    }
}
