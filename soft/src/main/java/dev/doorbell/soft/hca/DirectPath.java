package dev.doorbell.soft.hca;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.SendFlag;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Carries whole messages to a queue pair of the same device, by one copy from memory to memory. The responder's rules,
 * and the sequence numbers that a message takes, are those of the wire.
 *
 * <p>Called with the requester's lock held; takes the responder's lock of the peer for one message at a time.
 */
final class DirectPath extends Padded {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.bit();

    private final HcaQueuePair queuePair;
    private final InboundRequest request;
    private final MemoryCursor source;
    private final MemoryCursor target;
    private final Transfer transfer;
    private final MemorySegment word = Scratch.take(Long.BYTES);
    private int rnrTimer;
    private @Nullable HcaQueuePair peer;
    private int peerGeneration;

    /** The settings under which the peer was found to be connected to this queue pair. */
    private @Nullable QueuePairSettings ownSettings;

    private @Nullable QueuePairSettings peerSettings;
    private @Nullable HcaQueuePair answered;

    DirectPath(HcaQueuePair queuePair, MemoryRegions regions) {
        this.queuePair = queuePair;
        this.request = new InboundRequest(regions);
        this.source = new MemoryCursor(regions);
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
    }

    /**
     * Executes a work request at the peer.
     *
     * @return what the peer answers; {@link Verdict#WITHDRAWN} if the work request's own memory was refused
     */
    Verdict execute(WorkRequest work) {
        fill(work);
        if (!reachesLocalMemory(work)) {
            return Verdict.WITHDRAWN;
        }
        HcaQueuePair to = findPeer();
        return to == null ? Verdict.SILENT : deliver(work, to);
    }

    private boolean reachesLocalMemory(WorkRequest work) {
        return switch (work.operation) {
            case SEND, WRITE -> {
                work.gather(request.payload, queuePair.domain());
                yield request.payload.reaches(work.length);
            }
            case READ, COMPARE_SWAP, FETCH_ADD -> {
                target.elements(work.sges, queuePair.domain(), LOCAL_WRITE);
                yield target.reaches(work.length);
            }
            case ATOMIC_WRITE -> {
                work.gather(request.payload, queuePair.domain());
                request.payload.fill();
                yield true;
            }
            case FLUSH, BIND, INVALIDATE -> true;
        };
    }

    /** The peer's RNR timer code, after {@link Verdict#NOT_READY}. */
    int rnrTimer() {
        return rnrTimer;
    }

    /** The peer of the last message; its deferred work is done once all locks are released. */
    @Nullable
    HcaQueuePair takeAnswered() {
        HcaQueuePair failed = answered;
        if (failed != null) {
            answered = null;
        }
        return failed;
    }

    /** The peer: as a rule the one that was found last time. */
    private @Nullable HcaQueuePair findPeer() {
        int generation = queuePair.peerGeneration();
        if (peer == null || generation != peerGeneration || queuePair.settings() != ownSettings) {
            peer = queuePair.peer();
            peerGeneration = generation;
        }
        return peer;
    }

    private Verdict deliver(WorkRequest work, HcaQueuePair to) {
        if (!(to.responder() instanceof Responder responder)) {
            return Verdict.SILENT;
        }
        responder.lock.lock();
        try {
            if (!to.isReceiving() || !isConnected(to)) {
                return Verdict.SILENT;
            }
            Verdict verdict = responder.accept(request);
            return switch (verdict) {
                case ACCEPTED -> takeAnswer(work, responder);
                case DUPLICATE -> acknowledges(work, responder) ? Verdict.ACCEPTED : Verdict.SILENT;
                case NOT_READY -> {
                    rnrTimer = to.settings().minRnrTimer;
                    yield verdict;
                }
                case INVALID_REQUEST, ACCESS_ERROR, OPERATIONAL_ERROR, SILENT -> {
                    answered = to;
                    yield verdict;
                }
                case OUT_OF_SEQUENCE, WITHDRAWN -> verdict;
            };
        } finally {
            responder.unlock();
        }
    }

    /** Whether the peer is connected back to here; looked at anew only after one of them was modified. */
    private boolean isConnected(HcaQueuePair to) {
        QueuePairSettings here = queuePair.settings();
        QueuePairSettings there = to.settings();
        if (here != ownSettings || there != peerSettings) {
            if (!to.isPeerOf(queuePair)) {
                return false;
            }
            ownSettings = here;
            peerSettings = there;
        }
        return true;
    }

    /** Rule 3.6: what a duplicate is answered with may cover the message all the same. */
    private static boolean acknowledges(WorkRequest work, Responder responder) {
        return work.operation.isMessage() && Psn.diff(responder.lastMessagePsn(), work.lastPsn()) >= 0;
    }

    private Verdict takeAnswer(WorkRequest work, Responder responder) {
        Transfer.Outcome outcome = switch (request.operation) {
            case SEND, WRITE, ATOMIC_WRITE, FLUSH, BIND, INVALIDATE -> Transfer.Outcome.DONE;
            case READ -> {
                source.range(request.answer, request.answerAt, work.length);
                yield transfer.copy(source, target, work.length);
            }
            case COMPARE_SWAP, FETCH_ADD -> {
                Host.setLong(word, 0, request.original);
                source.range(word, 0, Long.BYTES);
                yield transfer.copy(source, target, Long.BYTES);
            }
        };
        return switch (outcome) {
            case DONE -> Verdict.ACCEPTED;
            case TARGET_FAULT -> Verdict.WITHDRAWN;
            case SOURCE_FAULT -> {
                answered = peer;
                yield responder.refuseAnswer();
            }
        };
    }

    private void fill(WorkRequest work) {
        request.psn = work.firstPsn;
        request.packets = work.packets;
        request.first = true;
        request.last = true;
        request.badLength = false;
        request.payloadBytes = work.length;
        request.messageBytes = work.operation == Operation.FLUSH ? work.flushLength : work.length;
        if (work.operation != Operation.SEND) {
            request.remoteAddress = work.remoteAddress;
            request.remoteKey = work.remoteKey;
            request.compareAdd = work.compareAdd;
            request.swap = work.swap;
            request.placement = work.placement;
            request.selectivity = work.selectivity;
        }
        request.solicited = work.has(SendFlag.SOLICITED);
        request.operation = work.operation;
        request.hasImmediate = work.hasImmediate;
        request.immediate = work.immediate;
        request.hasInvalidate = work.hasInvalidate;
        request.invalidateKey = work.invalidateKey;
    }
}
