package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmDrep;
import dev.doorbell.wire.cm.CmDreq;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.CmMessage;
import dev.doorbell.wire.cm.CmMra;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmRtu;
import dev.doorbell.wire.cm.PrivateData;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One side of a connection: what a program may ask of it, and what time does to it. What messages do to it says
 * {@link CmInbound}. Commands answer false, and do nothing, where the state does not allow them.
 *
 * <p>Thread rules: whoever calls keeps others out of the whole agent.
 */
public final class CmEndpoint extends Timed {
    private static final Guid NO_GUID = new Guid(0);
    private static final int NOT_NOW = -1;

    private final CmAgent agent;
    private final int localCommId;
    private final Gid source;
    private final Gid destination;

    CmHandler handler = CmHandler.NOBODY;
    int remoteCommId;
    Guid remoteGuid = NO_GUID;
    int localQpn;
    /** Of the exchange that is going on, as the side that began it chose it. */
    long transactionId;

    CmParameters parameters = CmParameters.NONE;
    /** How long the other side takes to answer at most. */
    long responseNs;

    int maxRetries;

    private CmState state = CmState.IDLE;
    /** What was said last: repeated until it is answered, or when the other side did not get it. */
    private @Nullable CmMad said;

    private int retriesLeft;

    CmEndpoint(CmAgent agent, int localCommId, Gid source, Gid destination) {
        this.agent = agent;
        this.localCommId = localCommId;
        this.source = source;
        this.destination = destination;
    }

    /** This side's number of the connection, which the other side gets to know. */
    public int localCommId() {
        return localCommId;
    }

    /** Where it stands. */
    public CmState state() {
        return state;
    }

    /** This side's address, from which messages are sent. */
    public Gid source() {
        return source;
    }

    /** The other side's address, to which messages are sent. */
    public Gid destination() {
        return destination;
    }

    /** What was agreed on so far. */
    public CmParameters parameters() {
        return parameters;
    }

    /** Who gets to know from now on what becomes of it. */
    public void setHandler(CmHandler value) {
        handler = value;
    }

    /** The active side's first step: sends a request, whose communication id must be {@link #localCommId()}. */
    public boolean request(CmReq req, int packetLifeTime, long nowNs) {
        if (state != CmState.IDLE) {
            return false;
        }
        CmQueuePair own = req.queuePair();
        localQpn = own.qpn();
        transactionId = agent.newTransactionId(localCommId);
        maxRetries = req.timing().maxRetries();
        responseNs =
                2 * CmTimes.nanos(packetLifeTime) + CmTimes.nanos(req.timing().remoteResponseTimeout());
        parameters = new CmParameters(
                req.primary(),
                req.pathMtu(),
                0,
                own.startingPsn(),
                0,
                own.responderResources(),
                own.initiatorDepth(),
                own.retryCount(),
                own.rnrRetry(),
                packetLifeTime + 1);
        enter(CmState.REQ_SENT);
        insist(req, nowNs);
        return true;
    }

    /** The passive side accepts. Its queue pair must be ready to receive by now. */
    public boolean reply(CmQueuePair own, PrivateData data, long nowNs) {
        if (state != CmState.REQ_RECEIVED) {
            return false;
        }
        localQpn = own.qpn();
        CmParameters asked = parameters;
        parameters = new CmParameters(
                asked.path(),
                asked.pathMtu(),
                asked.remoteQpn(),
                own.startingPsn(),
                asked.sendPsn(),
                own.responderResources(),
                own.initiatorDepth(),
                asked.retryCount(),
                asked.rnrRetry(),
                asked.ackTimeout());
        enter(CmState.REP_SENT);
        insist(new CmRep(localCommId, remoteCommId, own, CmTimes.ACK_DELAY, 0, agent.guid(), data), nowNs);
        return true;
    }

    /** The active side has its queue pair ready and confirms. */
    public boolean ready(PrivateData data) {
        if (state != CmState.REP_RECEIVED) {
            return false;
        }
        enter(CmState.ESTABLISHED);
        say(new CmRtu(localCommId, remoteCommId, data));
        return true;
    }

    /** A packet came from the other side, so it must be ready, though its message got lost. */
    public boolean establish() {
        if (state != CmState.REP_SENT) {
            return false;
        }
        agent.timers().cancel(this);
        enter(CmState.ESTABLISHED);
        handler.onEstablished();
        return true;
    }

    /** Refuses, or gives the attempt up. */
    public boolean reject(RejectReason reason, PrivateData data) {
        int rejected = switch (state) {
            case REQ_RECEIVED, REQ_SENT, MRA_RECEIVED -> CmRej.REQ;
            case REP_RECEIVED -> CmRej.REP;
            case REP_SENT -> CmRej.OTHER;
            case IDLE, ESTABLISHED, DISCONNECT_SENT, DISCONNECT_RECEIVED, TIME_WAIT -> NOT_NOW;
        };
        if (rejected == NOT_NOW) {
            return false;
        }
        // In answer to a request this side's number was never told.
        int number = state == CmState.REQ_RECEIVED ? 0 : localCommId;
        CmRej rej = reason == RejectReason.TIMEOUT
                ? agent.timeoutRejection(number, remoteCommId, rejected)
                : CmRej.of(number, remoteCommId, rejected, reason, data);
        say(rej);
        end();
        return true;
    }

    /** Ends the connection, or answers the other side that ended it. */
    public boolean disconnect(long nowNs) {
        return switch (state) {
            case ESTABLISHED -> {
                transactionId = agent.newTransactionId(localCommId);
                enter(CmState.DISCONNECT_SENT);
                PrivateData data = PrivateData.zero(CmDreq.PRIVATE_DATA);
                insist(new CmDreq(localCommId, remoteCommId, parameters.remoteQpn(), data), nowNs);
                yield true;
            }
            case DISCONNECT_RECEIVED -> {
                confirmDisconnect();
                waitForStragglers(nowNs);
                yield true;
            }
            case IDLE, REQ_SENT, MRA_RECEIVED, REQ_RECEIVED, REP_RECEIVED, REP_SENT, DISCONNECT_SENT, TIME_WAIT ->
                false;
        };
    }

    /**
     * Nobody cares any more. The other side is told what it needs to know; what has to wait for late messages does so.
     */
    public void close(long nowNs) {
        handler = CmHandler.NOBODY;
        PrivateData none = PrivateData.zero(CmRej.PRIVATE_DATA);
        switch (state) {
            case REQ_SENT, MRA_RECEIVED -> reject(RejectReason.TIMEOUT, none);
            case REQ_RECEIVED, REP_RECEIVED, REP_SENT -> reject(RejectReason.CONSUMER_DEFINED, none);
            case ESTABLISHED, DISCONNECT_RECEIVED -> disconnect(nowNs);
            case IDLE -> end();
            case DISCONNECT_SENT, TIME_WAIT -> {}
        }
    }

    @Override
    void expire(long nowNs) {
        switch (state) {
            case REQ_SENT, MRA_RECEIVED, REP_SENT, DISCONNECT_SENT -> {
                if (retriesLeft > 0) {
                    retriesLeft--;
                    repeat();
                    agent.timers().set(this, nowNs + responseNs);
                } else {
                    giveUp(nowNs);
                }
            }
            case TIME_WAIT -> {
                CmHandler told = handler;
                end();
                told.onTimeWaitOver();
            }
            case IDLE, REQ_RECEIVED, REP_RECEIVED, ESTABLISHED, DISCONNECT_RECEIVED -> {}
        }
    }

    private void giveUp(long nowNs) {
        if (state == CmState.DISCONNECT_SENT) {
            waitForStragglers(nowNs);
            handler.onDisconnected(true);
        } else {
            CmHandler told = handler;
            reject(RejectReason.TIMEOUT, PrivateData.zero(CmRej.PRIVATE_DATA));
            told.onUnreachable();
        }
    }

    /** The one place where the state changes. */
    void enter(CmState next) {
        state = next;
    }

    /** Sends a message, and repeats it until it is answered. */
    private void insist(CmMessage message, long nowNs) {
        say(message);
        retriesLeft = maxRetries;
        agent.timers().set(this, nowNs + responseNs);
    }

    void say(CmMessage message) {
        CmMad mad = new CmMad(transactionId, message);
        said = mad;
        agent.send(mad, source, destination);
    }

    /** Says once more what was said last. */
    void repeat() {
        agent.send(Objects.requireNonNull(said), source, destination);
    }

    /** Says that the answer takes a while; what was said last stays. */
    void askForPatience(int message) {
        PrivateData data = PrivateData.zero(CmMra.PRIVATE_DATA);
        CmMra mra = new CmMra(localCommId, remoteCommId, message, CmTimes.SERVICE_TIMEOUT, data);
        agent.send(new CmMad(transactionId, mra), source, destination);
    }

    void confirmDisconnect() {
        say(new CmDrep(localCommId, remoteCommId, PrivateData.zero(CmDrep.PRIVATE_DATA)));
    }

    /** Keeps the numbers reserved as long as a packet of the connection may be on its way. */
    void waitForStragglers(long nowNs) {
        agent.releaseQueuePair(this);
        enter(CmState.TIME_WAIT);
        agent.timers().set(this, nowNs + CmTimes.nanos(parameters.ackTimeout()));
    }

    /** Is no more. */
    void end() {
        enter(CmState.IDLE);
        said = null;
        agent.forget(this);
    }

    void waitUntil(long untilNs) {
        agent.timers().set(this, untilNs);
    }

    void answered() {
        agent.timers().cancel(this);
    }

    @Override
    public String toString() {
        return "0x%08x/0x%08x %s %s→%s".formatted(localCommId, remoteCommId, state, source, destination);
    }
}
