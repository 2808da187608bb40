package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * The responding half of a connection: takes requests in the order of their sequence numbers, places their bytes, and
 * completes receive work requests. Its rules are those of a reliable connection; {@link UnreliableResponder} has others
 * for what goes wrong. Rule numbers are those of docs/spec/transport.md.
 */
class Responder extends RespondingHalf {
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.bit();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.bit();
    private static final int REMOTE_READ = AccessFlag.REMOTE_READ.bit();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.bit();
    /** rxe sets it on every receive, though only datagrams have the header in their buffer. */
    private static final int GRH = WorkCompletionFlag.GRH.bit();

    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();

    private final MemoryRegions regions;
    private final TargetMemory remote;
    private final long maxMessageBytes;
    private final MemoryCursor target;
    private final Transfer transfer;

    /** Written with the lock; read without it by {@link #awaitsReply}. */
    private volatile @Nullable PacketResponder packets;

    private QueuePairSettings settings;
    private int expectedPsn;
    private int messages;
    private int lastMessagePsn;
    private boolean nakSent;
    private boolean established;

    /** The message of which some packets have come. */
    private Message message = Message.NONE;

    private long received;
    private long writeAddress;
    private int writeKey;
    private long writeLeft;

    private enum Message {
        NONE,
        SEND,
        WRITE
    }

    Responder(HcaQueuePair queuePair, MemoryRegions regions, ReceiveSource receives, int maxSge) {
        super(queuePair, receives, maxSge);
        this.regions = regions;
        this.remote = new TargetMemory(queuePair, regions, queuePair.hca().windows());
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
        this.settings = queuePair.settings();
        this.maxMessageBytes = queuePair.hca().limits().maxMessageBytes();
    }

    @Override
    void configure(QueuePairSettings changed) {
        settings = changed;
        PacketResponder wire = packets;
        if (wire != null) {
            wire.configure(changed);
        }
    }

    @Override
    void start(QueuePairSettings changed) {
        begin(changed);
        route();
        configure(changed);
    }

    @Override
    void finish() {
        PacketResponder answering = packets;
        if (answering != null) {
            answering.finish();
        }
    }

    @Override
    void reroute() {
        finish();
        route();
    }

    private void route() {
        Transmitter transmitter = queuePair.newTransmitter();
        packets = transmitter == null ? null : new PacketResponder(queuePair, regions, this, transmitter);
        if (transmitter != null) {
            queuePair.hca().prepareAnswers();
        }
    }

    /** Begins a connection; what answers is another matter. */
    final void begin(QueuePairSettings changed) {
        expectedPsn = changed.receivePsn;
        lastMessagePsn = Psn.add(expectedPsn, -1);
        messages = 0;
        nakSent = false;
        established = false;
        dropMessage();
    }

    @Override
    boolean acceptPacket(PacketView packet, Gid source, Gid destination) {
        PacketResponder wire = packets;
        if (wire == null) {
            counters.add(Counter.DROPPED_QP_STATE);
            return false;
        }
        return wire.accept(packet);
    }

    @Override
    boolean resume(@Nullable Transmitter carrier, long nowNs, boolean patient) {
        PacketResponder wire = packets;
        return wire != null && wire.resume(carrier, nowNs, patient);
    }

    @Override
    boolean awaitsReply() {
        PacketResponder wire = packets;
        return wire != null && wire.awaitsReply();
    }

    @Override
    boolean repliesAlone() {
        PacketResponder wire = packets;
        return wire != null && wire.repliesAlone();
    }

    @Override
    void reply(Transmitter transmitter, long nowNs) {
        PacketResponder wire = packets;
        if (wire != null) {
            wire.reply(transmitter, nowNs);
        }
    }

    /** The number of the packet that is due. */
    int expectedPsn() {
        return expectedPsn;
    }

    /** Messages completed, modulo 2^24 (MSN). */
    int messages() {
        return messages;
    }

    /** The last packet of a SEND or WRITE that was executed: what a duplicate is answered with (rule 3.6). */
    int lastMessagePsn() {
        return lastMessagePsn;
    }

    /** Takes a request; what the requester must learn is the result. */
    Verdict accept(InboundRequest request) {
        int distance = Psn.diff(request.psn, expectedPsn);
        if (distance > 0) {
            return gap();
        }
        if (distance < 0) {
            counters.add(Counter.DUPLICATE_REQUEST);
            return Verdict.DUPLICATE;
        }
        nakSent = false;
        return carryOut(request);
    }

    /** Carries out a request whose turn it is. */
    final Verdict carryOut(InboundRequest request) {
        establish();
        if (!isInSequence(request) || !isPermitted(request)) {
            return refuse(Verdict.INVALID_REQUEST, WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        return switch (request.operation) {
            case SEND -> send(request);
            case WRITE -> write(request);
            case READ -> read(request);
            case COMPARE_SWAP, FETCH_ADD -> conclude(request, remote.atomic(request));
            case ATOMIC_WRITE -> conclude(request, remote.atomicWrite(request));
            case FLUSH -> conclude(request, remote.flush(request));
            case BIND, INVALIDATE -> throw new AssertionError(request.operation + " does not travel");
        };
    }

    /** Goes on with another number than the one that was due. */
    final void expect(int psn) {
        expectedPsn = psn;
    }

    /** Forgets the message of which some packets have come; a receive work request that it took stays for the next one. */
    final void dropMessage() {
        message = Message.NONE;
    }

    @Override
    final void unlock() {
        remote.release();
        lock.unlock();
    }

    /** The bytes that a READ was promised could not be read after all. */
    Verdict refuseAnswer() {
        return refuse(Verdict.ACCESS_ERROR, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Override
    void abandon() {
        super.abandon();
        message = Message.NONE;
        finish();
        packets = null;
    }

    /** Rule 3.5: a gap is refused once, until a packet comes in order. */
    private Verdict gap() {
        counters.add(Counter.OUT_OF_SEQ_REQUEST);
        if (nakSent) {
            return Verdict.SILENT;
        }
        nakSent = true;
        return Verdict.OUT_OF_SEQUENCE;
    }

    private void establish() {
        if (!established) {
            established = true;
            queuePair.communicationEstablished();
        }
    }

    /** Rule 3.5, opcode sequence: a message ends before the next begins. */
    private boolean isInSequence(InboundRequest request) {
        return switch (request.operation) {
            case SEND -> message == (request.first ? Message.NONE : Message.SEND);
            case WRITE -> message == (request.first ? Message.NONE : Message.WRITE);
            case READ, COMPARE_SWAP, FETCH_ADD, ATOMIC_WRITE, FLUSH -> message == Message.NONE;
            case BIND, INVALIDATE -> false;
        };
    }

    /** Rule 3.5, access flags of the queue pair. */
    private boolean isPermitted(InboundRequest request) {
        int access = settings.accessFlags;
        return switch (request.operation) {
            case SEND -> true;
            case WRITE -> (access & REMOTE_WRITE) != 0;
            case READ -> (access & REMOTE_READ) != 0 && settings.maxDestReadAtomic > 0;
            case COMPARE_SWAP, FETCH_ADD -> (access & REMOTE_ATOMIC) != 0 && settings.maxDestReadAtomic > 0;
            case ATOMIC_WRITE -> (access & REMOTE_WRITE) != 0 && settings.maxDestReadAtomic > 0;
            case FLUSH -> (TargetMemory.flushAccess(request.placement) & ~access) == 0;
            case BIND, INVALIDATE -> false;
        };
    }

    private Verdict send(InboundRequest request) {
        if (request.first) {
            Verdict taken = takeReceive();
            if (taken != Verdict.ACCEPTED) {
                return taken;
            }
            received = 0;
            target.elements(receive.sges, queuePair.domain(), LOCAL_WRITE);
        } else {
            target.resume();
        }
        if (request.badLength) {
            return refuse(Verdict.INVALID_REQUEST, WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        if (request.payloadBytes > receive.sges.bytes() - received) {
            return refuse(Verdict.INVALID_REQUEST, WorkCompletionStatus.LOC_LEN_ERR);
        }
        switch (transfer.copy(request.payload, target, request.payloadBytes)) {
            case DONE -> {}
            case SOURCE_FAULT -> {
                return Verdict.WITHDRAWN;
            }
            case TARGET_FAULT -> {
                return refuse(Verdict.OPERATIONAL_ERROR, WorkCompletionStatus.LOC_PROT_ERR);
            }
        }
        received += request.payloadBytes;
        if (request.hasInvalidate && !remote.invalidate(request.invalidateKey)) {
            // Rule 3.14: Soft-RoCE acknowledges it all the same, and dies.
            return refuse(Verdict.ACCESS_ERROR, WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        message = request.last ? Message.NONE : Message.SEND;
        if (request.last && !deliver(request, WorkCompletionOpcode.RECV, received)) {
            return overflow();
        }
        return executed(request);
    }

    private Verdict write(InboundRequest request) {
        if (request.last && request.hasImmediate) {
            Verdict taken = takeReceive();
            if (taken != Verdict.ACCEPTED) {
                return taken;
            }
        }
        if (request.first) {
            writeAddress = request.remoteAddress;
            writeKey = request.remoteKey;
            writeLeft = request.messageBytes;
            received = request.messageBytes;
        }
        boolean tooLong = request.first && request.messageBytes > maxMessageBytes;
        boolean wrongSum = request.last ? request.payloadBytes != writeLeft : request.payloadBytes >= writeLeft;
        if (request.badLength || tooLong || wrongSum) {
            return refuse(Verdict.INVALID_REQUEST, WorkCompletionStatus.WR_FLUSH_ERR);
        }
        // Rule 3.5: the key of a WRITE without bytes is not looked at.
        if (writeLeft > 0) {
            Verdict placed = place(request);
            if (placed != Verdict.ACCEPTED) {
                return placed;
            }
        }
        message = request.last ? Message.NONE : Message.WRITE;
        if (request.last
                && request.hasImmediate
                && !deliver(request, WorkCompletionOpcode.RECV_RDMA_WITH_IMM, received)) {
            return overflow();
        }
        return executed(request);
    }

    /** Puts the payload of a WRITE where it belongs; the first packet answers for the whole range. */
    private Verdict place(InboundRequest request) {
        if (!remote.locate(writeKey, writeAddress, writeLeft, REMOTE_WRITE)) {
            return refuse(Verdict.ACCESS_ERROR, WorkCompletionStatus.WR_FLUSH_ERR);
        }
        target.range(remote.memory(), remote.offset(), request.payloadBytes);
        Transfer.Outcome outcome = request.last
                ? transfer.copyReleased(request.payload, target, request.payloadBytes)
                : transfer.copy(request.payload, target, request.payloadBytes);
        writeAddress += request.payloadBytes;
        writeLeft -= request.payloadBytes;
        return switch (outcome) {
            case DONE -> Verdict.ACCEPTED;
            case SOURCE_FAULT -> Verdict.WITHDRAWN;
            case TARGET_FAULT -> refuse(Verdict.ACCESS_ERROR, WorkCompletionStatus.WR_FLUSH_ERR);
        };
    }

    private Verdict read(InboundRequest request) {
        if (request.badLength || request.messageBytes > maxMessageBytes) {
            return refuse(Verdict.INVALID_REQUEST, WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        if (!locateAnswer(request)) {
            return refuse(Verdict.ACCESS_ERROR, WorkCompletionStatus.REM_ACCESS_ERR);
        }
        return executed(request);
    }

    /** Finds the bytes that a READ asks for; the key of a READ without bytes is not looked at (rule 3.5). */
    boolean locateAnswer(InboundRequest request) {
        if (request.messageBytes == 0) {
            return true;
        }
        if (!remote.locate(request.remoteKey, request.remoteAddress, request.messageBytes, REMOTE_READ)) {
            return false;
        }
        request.answer = remote.memory();
        request.answerAt = remote.offset();
        return true;
    }

    /** What became of a request that only concerned memory. */
    private Verdict conclude(InboundRequest request, Verdict verdict) {
        if (verdict == Verdict.ACCEPTED) {
            return executed(request);
        }
        return refuse(
                verdict,
                verdict == Verdict.ACCESS_ERROR
                        ? WorkCompletionStatus.REM_ACCESS_ERR
                        : WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    private Verdict executed(InboundRequest request) {
        expectedPsn = Psn.add(expectedPsn, request.packets);
        if (request.last) {
            messages = Psn.next(messages);
        }
        if (request.operation.isMessage()) {
            lastMessagePsn = Psn.add(expectedPsn, -1);
        }
        return Verdict.ACCEPTED;
    }

    /** Rule 3.5, RNR. What follows in the same burst is not refused again. */
    Verdict notReady() {
        counters.add(Counter.SEND_RNR_ERR);
        nakSent = true;
        return Verdict.NOT_READY;
    }

    /**
     * Rule 3.5: a message needs a receive work request. One that was taken for a message which the requester withdrew
     * serves the next. ACCEPTED if there is one.
     */
    private Verdict takeReceive() {
        if (receiving) {
            return Verdict.ACCEPTED;
        }
        return switch (receives.take(receive)) {
            case TAKEN -> {
                receiving = true;
                yield Verdict.ACCEPTED;
            }
            case NONE -> notReady();
            case MALFORMED -> {
                receiving = true;
                yield refuse(Verdict.OPERATIONAL_ERROR, WorkCompletionStatus.LOC_QP_OP_ERR);
            }
            case BROKEN -> refuse(Verdict.OPERATIONAL_ERROR, WorkCompletionStatus.LOC_QP_OP_ERR);
        };
    }

    private boolean deliver(InboundRequest request, WorkCompletionOpcode opcode, long bytes) {
        counters.add(Counter.RDMA_RECVS);
        completion.id = receive.id;
        completion.status = WorkCompletionStatus.SUCCESS;
        completion.opcode = opcode;
        completion.bytes = bytes;
        completion.flags = request.hasImmediate ? GRH | WITH_IMM : request.hasInvalidate ? GRH | WITH_INV : GRH;
        completion.immediate = request.hasImmediate ? request.immediate : 0;
        completion.invalidatedKey = request.invalidateKey;
        completion.queuePair = queuePair.number();
        completion.port = settings.port;
        completion.solicited = request.solicited;
        receiving = false;
        receives.complete();
        boolean fits = queuePair.receiveCompletions().post(completion);
        receives.prefetch();
        return fits;
    }

    /** Rule 3.5: after a fatal refusal the responder is in error, and silent. */
    Verdict refuse(Verdict verdict, WorkCompletionStatus receiveStatus) {
        if (receiving) {
            fail(receiveStatus);
        }
        message = Message.NONE;
        queuePair.failedByResponder(
                verdict == Verdict.ACCESS_ERROR ? AsyncEventType.QP_ACCESS_ERR : AsyncEventType.QP_REQ_ERR);
        flush();
        return verdict;
    }

    /** Rule 3.5: with the receive completion queue full, the queue pair dies without an answer. */
    private Verdict overflow() {
        queuePair.failedByResponder(AsyncEventType.QP_FATAL);
        flush();
        return Verdict.SILENT;
    }
}
