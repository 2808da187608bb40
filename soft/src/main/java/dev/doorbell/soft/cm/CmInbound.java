package dev.doorbell.soft.cm;

import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmDreq;
import dev.doorbell.wire.cm.CmMra;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmReq;

/** What a message does to the endpoint that it is for. Messages that make no sense there, or no more, do nothing. */
final class CmInbound {
    private CmInbound() {}

    /** The request with which a passive endpoint begins. */
    static void begin(CmEndpoint endpoint, CmReq req, long transactionId) {
        CmQueuePair asking = req.queuePair();
        endpoint.remoteCommId = req.localCommId();
        endpoint.remoteGuid = req.caGuid();
        endpoint.transactionId = transactionId;
        endpoint.maxRetries = req.timing().maxRetries();
        endpoint.responseNs = CmTimes.nanos(req.timing().localResponseTimeout());
        // What the other side serves is what this side may have outstanding, and the other way round.
        int served = asking.responderResources();
        int wanted = asking.initiatorDepth();
        endpoint.parameters = new CmParameters(
                Reverse.of(req.primary()),
                req.pathMtu(),
                asking.qpn(),
                0,
                asking.startingPsn(),
                wanted,
                served,
                asking.retryCount(),
                asking.rnrRetry(),
                req.primary().ackTimeout());
        endpoint.enter(CmState.REQ_RECEIVED);
    }

    /** The same request again: the answer got lost, or is not there yet. */
    static void again(CmEndpoint endpoint, CmReq req, CmAgent agent) {
        switch (endpoint.state()) {
            case REQ_RECEIVED -> endpoint.askForPatience(CmMra.REQ);
            case REP_SENT -> endpoint.repeat();
            case TIME_WAIT -> agent.rejectRequest(endpoint, req, RejectReason.STALE_CONNECTION);
            case IDLE, REQ_SENT, MRA_RECEIVED, REP_RECEIVED, ESTABLISHED, DISCONNECT_SENT, DISCONNECT_RECEIVED -> {}
        }
    }

    static void reply(CmEndpoint endpoint, CmRep rep, CmAgent agent) {
        switch (endpoint.state()) {
            case REQ_SENT, MRA_RECEIVED -> accepted(endpoint, rep, agent);
            case REP_RECEIVED -> {
                if (isOf(endpoint, rep.localCommId())) {
                    endpoint.askForPatience(CmMra.REP);
                }
            }
            case ESTABLISHED -> {
                if (isOf(endpoint, rep.localCommId())) {
                    // The confirmation got lost.
                    endpoint.repeat();
                }
            }
            case IDLE, REQ_RECEIVED, REP_SENT, DISCONNECT_SENT, DISCONNECT_RECEIVED, TIME_WAIT -> {}
        }
    }

    private static void accepted(CmEndpoint endpoint, CmRep rep, CmAgent agent) {
        CmQueuePair other = rep.queuePair();
        if (!agent.bind(endpoint, rep.localCommId(), rep.caGuid(), other.qpn())) {
            agent.rejectReply(endpoint, rep, RejectReason.STALE_CONNECTION);
            return;
        }
        endpoint.answered();
        CmParameters asked = endpoint.parameters;
        int served = other.responderResources();
        int wanted = other.initiatorDepth();
        endpoint.parameters = new CmParameters(
                asked.path(),
                asked.pathMtu(),
                other.qpn(),
                asked.receivePsn(),
                other.startingPsn(),
                wanted,
                served,
                asked.retryCount(),
                other.rnrRetry(),
                CmTimes.ackTimeout(rep.targetAckDelay(), asked.ackTimeout() - 1));
        endpoint.enter(CmState.REP_RECEIVED);
        endpoint.handler.onReply(rep);
    }

    static void readyToUse(CmEndpoint endpoint) {
        endpoint.establish();
    }

    static void patience(CmEndpoint endpoint, CmMra mra, long nowNs) {
        boolean request = endpoint.state().isAsking() && mra.acknowledged() == CmMra.REQ;
        boolean reply = endpoint.state() == CmState.REP_SENT && mra.acknowledged() == CmMra.REP;
        if (request) {
            endpoint.enter(CmState.MRA_RECEIVED);
        }
        if (request || reply) {
            long extension = CmTimes.nanos(mra.serviceTimeout()) + CmTimes.nanos(endpoint.parameters.ackTimeout());
            endpoint.waitUntil(nowNs + extension);
        }
    }

    static void rejected(CmEndpoint endpoint, CmRej rej, long nowNs) {
        CmHandler told = endpoint.handler;
        switch (endpoint.state()) {
            case REQ_SENT, MRA_RECEIVED, REQ_RECEIVED, REP_RECEIVED, REP_SENT -> {
                endpoint.end();
                told.onRejected(rej);
            }
            case ESTABLISHED -> {
                endpoint.waitForStragglers(nowNs);
                told.onRejected(rej);
            }
            case DISCONNECT_SENT -> {
                endpoint.waitForStragglers(nowNs);
                told.onDisconnected(false);
            }
            case IDLE, DISCONNECT_RECEIVED, TIME_WAIT -> {}
        }
    }

    static void disconnect(CmEndpoint endpoint, CmDreq dreq, long transactionId, long nowNs) {
        if (dreq.remoteQpn() != endpoint.localQpn) {
            return;
        }
        switch (endpoint.state()) {
            case ESTABLISHED, REP_SENT, REP_RECEIVED -> {
                endpoint.answered();
                endpoint.transactionId = transactionId;
                endpoint.enter(CmState.DISCONNECT_RECEIVED);
                endpoint.handler.onDisconnected(false);
            }
            case DISCONNECT_SENT -> {
                // Both at once: each answers the other's, and neither needs its own answered.
                endpoint.transactionId = transactionId;
                endpoint.confirmDisconnect();
                endpoint.waitForStragglers(nowNs);
                endpoint.handler.onDisconnected(false);
            }
            case TIME_WAIT -> {
                endpoint.transactionId = transactionId;
                endpoint.confirmDisconnect();
            }
            case IDLE, REQ_SENT, MRA_RECEIVED, REQ_RECEIVED, DISCONNECT_RECEIVED -> {}
        }
    }

    static void disconnected(CmEndpoint endpoint, long nowNs) {
        if (endpoint.state() == CmState.DISCONNECT_SENT) {
            endpoint.waitForStragglers(nowNs);
            endpoint.handler.onDisconnected(false);
        } else if (endpoint.state() == CmState.DISCONNECT_RECEIVED) {
            endpoint.waitForStragglers(nowNs);
        }
    }

    /** Whether the number of the other side is the one that it told. */
    static boolean isOf(CmEndpoint endpoint, int remoteCommId) {
        return endpoint.remoteCommId == remoteCommId;
    }
}
