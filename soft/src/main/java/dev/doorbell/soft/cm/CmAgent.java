package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmApr;
import dev.doorbell.wire.cm.CmDrep;
import dev.doorbell.wire.cm.CmDreq;
import dev.doorbell.wire.cm.CmLap;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.CmMessage;
import dev.doorbell.wire.cm.CmMra;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmRtu;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.CmSidrReq;
import dev.doorbell.wire.cm.PrivateData;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of one device: its endpoints, and which message is for whom.
 *
 * <p>Thread rules: one thread at a time; whoever calls sees to that.
 */
public final class CmAgent {
    private static final int UNKNOWN_COMM_ID = 0;

    /** A number that the other side gave to a connection, or to a queue pair. Unique together with its node's GUID. */
    private record Peer(int number, Guid guid) {}

    private final Guid guid;
    private final RandomGenerator random;
    private final CmOutput output;
    private final CmService service;
    private final CmTimers timers = new CmTimers();
    private final Map<Integer, CmEndpoint> endpoints = new HashMap<>();
    private final Map<Peer, CmEndpoint> byCommId = new HashMap<>();
    private final Map<Peer, CmEndpoint> byQueuePair = new HashMap<>();
    private final SidrTable questions;

    /**
     * An agent without endpoints.
     *
     * @param guid the node's
     * @param random where numbers come from, so that those of an earlier run are not met again
     */
    public CmAgent(Guid guid, RandomGenerator random, CmOutput output, CmService service) {
        this.guid = guid;
        this.random = random;
        this.output = output;
        this.service = service;
        this.questions = new SidrTable(this, service);
    }

    /** An endpoint for a connection from one address to the other. */
    public CmEndpoint newEndpoint(Gid own, Gid peer) {
        int id;
        do {
            id = random.nextInt();
        } while (id == UNKNOWN_COMM_ID || endpoints.containsKey(id));
        CmEndpoint endpoint = new CmEndpoint(this, id, own, peer);
        endpoints.put(id, endpoint);
        return endpoint;
    }

    /** Questions for the queue pairs of datagram services. */
    public SidrTable questions() {
        return questions;
    }

    /** When {@link #expire} must be called; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        return timers.nextDeadlineNs();
    }

    /** Lets time do what it does. Returns whether it did anything. */
    public boolean expire(long nowNs) {
        return timers.expire(nowNs);
    }

    /** Endpoints and questions that are alive, those included that wait for late messages. */
    public int size() {
        return endpoints.size() + questions.size();
    }

    /** All that is kept, for tests: 0 when all is over. */
    int remains() {
        return size() + byCommId.size() + byQueuePair.size() + timers.size();
    }

    /**
     * A message has come.
     *
     * @param source the address from which it came
     * @param destination the address to which it was sent
     */
    public void receive(CmMad mad, Gid source, Gid destination, long nowNs) {
        long transactionId = mad.transactionId();
        switch (mad.message()) {
            case CmReq req -> requested(req, transactionId, source, destination, nowNs);
            case CmRep rep -> replied(rep, transactionId, source, destination);
            case CmRtu rtu -> {
                CmEndpoint endpoint = find(rtu.remoteCommId(), rtu.localCommId(), source);
                if (endpoint != null) {
                    CmInbound.readyToUse(endpoint);
                }
            }
            case CmMra mra -> {
                CmEndpoint endpoint = find(mra.remoteCommId(), source);
                if (endpoint != null) {
                    CmInbound.patience(endpoint, mra, nowNs);
                }
            }
            case CmRej rej -> {
                CmEndpoint endpoint = rejected(rej, source);
                if (endpoint != null) {
                    CmInbound.rejected(endpoint, rej, nowNs);
                }
            }
            case CmDreq dreq -> disconnect(dreq, transactionId, source, destination, nowNs);
            case CmDrep drep -> {
                CmEndpoint endpoint = find(drep.remoteCommId(), drep.localCommId(), source);
                if (endpoint != null) {
                    CmInbound.disconnected(endpoint, nowNs);
                }
            }
            case CmSidrReq req -> questions.asked(req, transactionId, source, destination);
            case CmSidrRep rep -> questions.answered(rep, source);
            case CmLap lap -> refuseAlternatePath(lap, transactionId, source, destination);
            case CmApr ignored -> {
                // Nobody here asks for alternate paths.
            }
        }
    }

    private void requested(CmReq req, long transactionId, Gid source, Gid destination, long nowNs) {
        CmEndpoint known = byCommId.get(new Peer(req.localCommId(), req.caGuid()));
        if (known != null) {
            CmInbound.again(known, req, this);
            return;
        }
        CmEndpoint endpoint = newEndpoint(destination, source);
        CmInbound.begin(endpoint, req, transactionId);
        int qpn = req.queuePair().qpn();
        CmEndpoint older = byQueuePair.get(new Peer(qpn, req.caGuid()));
        if (older != null) {
            // Section 12.9.8.3.1: the other side has forgotten the connection that this one still has.
            refuse(endpoint, req, RejectReason.STALE_CONNECTION);
            older.disconnect(nowNs);
            return;
        }
        bind(endpoint, req.localCommId(), req.caGuid(), qpn);
        RejectReason refusal = service.onRequest(endpoint, req);
        if (refusal == RejectReason.UNKNOWN) {
            endpoint.end();
        } else if (refusal != null) {
            refuse(endpoint, req, refusal);
        }
    }

    private void refuse(CmEndpoint endpoint, CmReq req, RejectReason reason) {
        rejectRequest(endpoint, req, reason);
        endpoint.end();
    }

    private void replied(CmRep rep, long transactionId, Gid source, Gid destination) {
        CmEndpoint endpoint = find(rep.remoteCommId(), source);
        if (endpoint != null) {
            CmInbound.reply(endpoint, rep, this);
            return;
        }
        // Whoever asked is gone; the other side need not wait for the time to be up.
        PrivateData none = PrivateData.zero(CmRej.PRIVATE_DATA);
        int own = rep.remoteCommId();
        int theirs = rep.localCommId();
        CmMessage rej = CmRej.of(own, theirs, CmRej.REP, RejectReason.INVALID_COMM_ID, none);
        send(new CmMad(transactionId, rej), destination, source);
    }

    private @Nullable CmEndpoint rejected(CmRej rej, Gid source) {
        if (rej.reason() == RejectReason.TIMEOUT.code() && rej.additionalLength() >= Long.BYTES) {
            long node = ByteBuffer.wrap(rej.additional().toBytes()).getLong();
            CmEndpoint endpoint = byCommId.get(new Peer(rej.localCommId(), new Guid(node)));
            return endpoint != null && endpoint.destination().equals(source) ? endpoint : null;
        }
        return rej.rejected() == CmRej.REQ
                ? find(rej.remoteCommId(), source)
                : find(rej.remoteCommId(), rej.localCommId(), source);
    }

    private void disconnect(CmDreq dreq, long transactionId, Gid source, Gid destination, long nowNs) {
        CmEndpoint endpoint = find(dreq.remoteCommId(), dreq.localCommId(), source);
        if (endpoint != null) {
            CmInbound.disconnect(endpoint, dreq, transactionId, nowNs);
            return;
        }
        // All that the other side wants to know is that the connection is no more.
        int own = dreq.remoteCommId();
        int theirs = dreq.localCommId();
        CmMessage drep = new CmDrep(own, theirs, PrivateData.zero(CmDrep.PRIVATE_DATA));
        send(new CmMad(transactionId, drep), destination, source);
    }

    private void refuseAlternatePath(CmLap lap, long transactionId, Gid source, Gid destination) {
        int own = lap.remoteCommId();
        int theirs = lap.localCommId();
        CmMessage apr = new CmApr(
                own,
                theirs,
                CmApr.UNSUPPORTED,
                0,
                PrivateData.zero(CmApr.ADDITIONAL),
                PrivateData.zero(CmApr.PRIVATE_DATA));
        send(new CmMad(transactionId, apr), destination, source);
    }

    void rejectRequest(CmEndpoint endpoint, CmReq req, RejectReason reason) {
        PrivateData none = PrivateData.zero(CmRej.PRIVATE_DATA);
        CmMessage rej = CmRej.of(UNKNOWN_COMM_ID, req.localCommId(), CmRej.REQ, reason, none);
        send(new CmMad(endpoint.transactionId, rej), endpoint.source(), endpoint.destination());
    }

    void rejectReply(CmEndpoint endpoint, CmRep rep, RejectReason reason) {
        PrivateData none = PrivateData.zero(CmRej.PRIVATE_DATA);
        CmMessage rej = CmRej.of(endpoint.localCommId(), rep.localCommId(), CmRej.REP, reason, none);
        send(new CmMad(endpoint.transactionId, rej), endpoint.source(), endpoint.destination());
    }

    /** The rejection of whoever waited in vain. It names the node, since the other side may not know the number. */
    CmRej timeoutRejection(int localCommId, int remoteCommId, int rejected) {
        byte[] node = ByteBuffer.allocate(Long.BYTES).putLong(guid.value()).array();
        return new CmRej(
                localCommId,
                remoteCommId,
                rejected,
                RejectReason.TIMEOUT.code(),
                Long.BYTES,
                PrivateData.of(node, CmRej.ADDITIONAL),
                PrivateData.zero(CmRej.PRIVATE_DATA));
    }

    /** An endpoint by its own number, if that is who talks to it. */
    private @Nullable CmEndpoint find(int localCommId, Gid source) {
        CmEndpoint endpoint = endpoints.get(localCommId);
        return endpoint != null && endpoint.destination().equals(source) ? endpoint : null;
    }

    /** An endpoint by both numbers. */
    private @Nullable CmEndpoint find(int own, int theirs, Gid source) {
        CmEndpoint endpoint = find(own, source);
        return endpoint != null && endpoint.remoteCommId == theirs ? endpoint : null;
    }

    /** Ties an endpoint to the other side's numbers; false if another endpoint is tied to one of them. */
    boolean bind(CmEndpoint endpoint, int remoteCommId, Guid remoteGuid, int remoteQpn) {
        Peer connection = new Peer(remoteCommId, remoteGuid);
        Peer queuePair = new Peer(remoteQpn, remoteGuid);
        if (byCommId.containsKey(connection) || byQueuePair.containsKey(queuePair)) {
            return false;
        }
        endpoint.remoteCommId = remoteCommId;
        endpoint.remoteGuid = remoteGuid;
        byCommId.put(connection, endpoint);
        byQueuePair.put(queuePair, endpoint);
        return true;
    }

    /** The other side may use its queue pair for another connection. */
    void releaseQueuePair(CmEndpoint endpoint) {
        byQueuePair.remove(new Peer(endpoint.parameters().remoteQpn(), endpoint.remoteGuid), endpoint);
    }

    void forget(CmEndpoint endpoint) {
        timers.cancel(endpoint);
        releaseQueuePair(endpoint);
        byCommId.remove(new Peer(endpoint.remoteCommId, endpoint.remoteGuid), endpoint);
        endpoints.remove(endpoint.localCommId(), endpoint);
    }

    void send(CmMad mad, Gid from, Gid to) {
        output.send(mad, from, to);
    }

    long newTransactionId(int number) {
        return (long) random.nextInt() << Integer.SIZE | Integer.toUnsignedLong(number);
    }

    int newNumber() {
        return random.nextInt();
    }

    CmTimers timers() {
        return timers;
    }

    /** The node that it speaks for. */
    public Guid guid() {
        return guid;
    }
}
