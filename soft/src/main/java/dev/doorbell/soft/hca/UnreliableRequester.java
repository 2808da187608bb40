package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** The requesting half of an unreliable connection: SEND and WRITE of any length, to one peer (rule 3.12). */
final class UnreliableRequester extends UnacknowledgedRequester {
    private final MemoryRegions regions;
    private final DirectPath direct;
    private @Nullable PacketSender sender;
    private @Nullable Transmitter transmitter;

    /** Packets of the present work request that have left. */
    private int sent;

    UnreliableRequester(
            HcaQueuePair queuePair, MemoryRegions regions, SendQueue sends, SendCompletions completions, int maxSge) {
        super(queuePair, sends, completions, maxSge);
        this.regions = regions;
        this.direct = new DirectPath(queuePair, regions);
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
        Transmitter wire = queuePair.newTransmitter();
        transmitter = wire;
        sender = wire == null ? null : new PacketSender(queuePair, regions, wire);
        sent = 0;
        super.start(changed);
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

    /** Rule 3.12: the wire has no codes for anything else. */
    @Override
    WorkCompletionStatus check(WorkRequest request) {
        sent = 0;
        return request.operation.isMessage() && !request.hasInvalidate
                ? WorkCompletionStatus.SUCCESS
                : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    @Override
    int packets(WorkRequest request) {
        return settings().packets(request.length);
    }

    @Override
    boolean carryOut(WorkRequest request) {
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
            if (!packets.send(request, Psn.add(request.firstPsn, sent), false)) {
                request.fate = WorkCompletionStatus.LOC_PROT_ERR;
                break;
            }
            counters.add(Counter.SENT_PKTS);
            sent++;
        }
        packets.flush();
        return room;
    }
}
