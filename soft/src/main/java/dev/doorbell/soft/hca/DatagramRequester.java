package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The requesting half of a datagram service (rule 3.13): one packet for each work request, to whatever address it names.
 * Queue pairs of this device get theirs by direct copy.
 */
final class DatagramRequester extends UnacknowledgedRequester {
    /** Rule 3.13: a Q_Key with this bit stands for the sender's own. */
    private static final int PRIVILEGED = 1 << 31;

    /** About a millisecond: others, to whom the next datagrams go, are not to wait for one that is stuck. */
    private static final int PATIENCE = 50;

    private final MemoryRegions regions;
    private final InboundDatagram datagram;

    /** Peers of this device that failed and have not settled. Hardly ever used. */
    private final Deque<HcaQueuePair> failed = new ArrayDeque<>();

    private @Nullable DatagramSender sender;

    DatagramRequester(
            HcaQueuePair queuePair, MemoryRegions regions, SendQueue sends, SendCompletions completions, int maxSge) {
        super(queuePair, sends, completions, maxSge, PATIENCE);
        this.regions = regions;
        this.datagram = new InboundDatagram(regions);
    }

    @Override
    void start(QueuePairSettings changed) {
        Transmitter transmitter = queuePair.newTransmitter();
        sender = transmitter == null ? null : new DatagramSender(queuePair, regions, transmitter);
        super.start(changed);
    }

    @Override
    void abandon() {
        super.abandon();
        sender = null;
    }

    @Override
    @Nullable
    HcaQueuePair nextFailedPeer() {
        return failed.poll();
    }

    @Override
    WorkCompletionStatus check(WorkRequest request) {
        return request.operation == Operation.SEND && !request.hasInvalidate
                ? WorkCompletionStatus.SUCCESS
                : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    @Override
    int packets(WorkRequest request) {
        return 1;
    }

    @Override
    boolean carryOut(WorkRequest request) {
        HcaAddressHandle stated = request.destination;
        HcaAddressHandle address = stated != null ? stated : queuePair.hca().addressHandle(request.addressHandle);
        if (address == null || address.domain() != queuePair.domain()) {
            request.fate = WorkCompletionStatus.LOC_QP_OP_ERR;
            return true;
        }
        if (request.length > queuePair.hca().activeMtu().bytes()) {
            // Rule 3.13: as with rxe nothing is sent, and nothing is said about it.
            return true;
        }
        boolean group = address.destination().isMulticast();
        DatagramSender packets = address.isLocal() ? null : sender;
        if (packets != null && !maySend(packets.transmitter(), address.destination())) {
            return false;
        }
        if (group || address.isLocal()) {
            deliver(request, address, group);
        }
        if (packets != null && request.fate == WorkCompletionStatus.SUCCESS) {
            sendPacket(request, address, packets);
        }
        return true;
    }

    private void sendPacket(WorkRequest request, HcaAddressHandle address, DatagramSender packets) {
        if (!packets.send(request, qkey(request), address)) {
            request.fate = WorkCompletionStatus.LOC_PROT_ERR;
            return;
        }
        counters.add(Counter.SENT_PKTS);
    }

    @Override
    void flushPackets() {
        DatagramSender packets = sender;
        if (packets != null) {
            packets.flush();
        }
    }

    private int qkey(WorkRequest request) {
        return (request.remoteQkey & PRIVILEGED) == 0 ? request.remoteQkey : settings().qkey;
    }

    /** Copies to queue pairs of this device: to one, or to those of a group. */
    private void deliver(WorkRequest request, HcaAddressHandle address, boolean group) {
        request.gather(datagram.payload, queuePair.domain());
        if (!datagram.payload.reaches(request.length)) {
            request.fate = WorkCompletionStatus.LOC_PROT_ERR;
            return;
        }
        datagram.payloadBytes = request.length;
        datagram.qkey = qkey(request);
        datagram.sourceQueuePair = queuePair.number();
        datagram.hasImmediate = request.hasImmediate;
        datagram.immediate = request.immediate;
        datagram.solicited = request.has(SendFlag.SOLICITED);
        datagram.address(address.source(), address.destination(), address.fields());
        if (group) {
            for (HcaQueuePair member : queuePair.hca().groups().members(address.destination())) {
                deliver(request, member);
            }
            return;
        }
        HcaQueuePair peer = queuePair.hca().queuePair(request.remoteQueuePair);
        if (peer != null) {
            deliver(request, peer);
        }
    }

    private void deliver(WorkRequest request, HcaQueuePair to) {
        if (!(to.responder() instanceof DatagramResponder responder)) {
            return;
        }
        responder.lock.lock();
        try {
            request.gather(datagram.payload, queuePair.domain());
            if (!responder.accept(datagram)) {
                request.fate = WorkCompletionStatus.LOC_PROT_ERR;
            }
        } finally {
            responder.lock.unlock();
        }
        if (to.isUnsettled()) {
            failed.add(to);
        }
    }
}
