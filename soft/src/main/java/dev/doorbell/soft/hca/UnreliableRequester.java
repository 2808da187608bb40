package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** The requesting half of an unreliable connection: SEND and WRITE of any length, to one peer (rule 3.12). */
final class UnreliableRequester extends UnacknowledgedRequester {
    /** About 50 ms: the peer's thread may have to wait for a processor. */
    private static final int PATIENCE = 2500;

    private final MemoryRegions regions;
    private final DirectPath direct;
    private final LocalOperations local;
    private @Nullable PacketSender sender;
    private @Nullable Transmitter transmitter;

    /** Packets of the present work request that have left. */
    private int sent;

    UnreliableRequester(
            HcaQueuePair queuePair, MemoryRegions regions, SendQueue sends, SendCompletions completions, int maxSge) {
        super(queuePair, sends, completions, maxSge, PATIENCE);
        this.regions = regions;
        this.direct = new DirectPath(queuePair, regions);
        this.local = new LocalOperations(queuePair, regions, queuePair.hca().windows());
    }

    @Override
    void configure(QueuePairSettings changed) {
        super.configure(changed);
        PacketSender packets = sender;
        if (packets != null) {
            packets.configure();
        }
    }

    @Override
    void start(QueuePairSettings changed) {
        reroute();
        super.start(changed);
    }

    @Override
    void reroute() {
        Transmitter wire = queuePair.newTransmitter();
        transmitter = wire;
        sender = wire == null ? null : new PacketSender(queuePair, regions, wire);
        sent = 0;
    }

    @Override
    void abandon() {
        super.abandon();
        sender = null;
        transmitter = null;
    }

    @Override
    @Nullable
    HcaQueuePair nextFailedPeer() {
        return direct.takeAnswered();
    }

    /** Rule 3.12: the wire has no codes for anything else. Windows are bound here as on a reliable connection. */
    @Override
    WorkCompletionStatus check(WorkRequest request) {
        sent = 0;
        boolean message = request.operation.isMessage() && !request.hasInvalidate;
        return message || request.operation == Operation.BIND
                ? WorkCompletionStatus.SUCCESS
                : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    @Override
    int packets(WorkRequest request) {
        return request.operation.isLocal() ? 0 : settings().packets(request.length);
    }

    @Override
    boolean carryOut(WorkRequest request) {
        if (request.operation.isLocal()) {
            request.fate = local.execute(request);
            return true;
        }
        PacketSender packets = sender;
        Transmitter wire = transmitter;
        if (packets != null && wire != null) {
            return sendPackets(request, packets, wire);
        }
        if (direct.execute(request) == Verdict.WITHDRAWN) {
            request.fate = WorkCompletionStatus.LOC_PROT_ERR;
        }
        return true;
    }

    private boolean sendPackets(WorkRequest request, PacketSender packets, Transmitter wire) {
        boolean room = true;
        while (sent < request.packets) {
            room = maySend(wire, settings().destinationGid);
            if (!room) {
                break;
            }
            if (!packets.send(request, Psn.add(request.firstPsn, sent), 1, false)) {
                request.fate = WorkCompletionStatus.LOC_PROT_ERR;
                break;
            }
            counters.add(Counter.SENT_PKTS);
            sent++;
        }
        return room;
    }

    @Override
    void flushPackets() {
        PacketSender packets = sender;
        if (packets != null) {
            packets.flush();
        }
    }
}
