package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.IpFields;
import dev.doorbell.spec.Gid;

/**
 * The attributes of a queue pair, as numbers: what a modify command asks for (which of them, says its mask), and what a
 * query answers. A plain struct; values are checked by {@link HcaQueuePair#modify}.
 */
public final class QueuePairSettings {
    /** {@code QueuePairState} number to go to; in a query the present one. */
    public int state;
    /** State number that the caller takes the queue pair to be in. */
    public int currentState;
    /** What peers may do: {@code AccessFlag} bits. */
    public int accessFlags;
    /** Slot of the P_Key table. */
    public int pkeyIndex;
    /** Local port, from 1. */
    public int port = 1;
    /** Q_Key (UD). */
    public int qkey;
    /** Path MTU code, 1 to 5. */
    public int pathMtu;
    /** Local ACK timeout code, 0 (never) to 31: 4.096 µs shifted left by it. */
    public int timeout;
    /** Retries without progress after a timeout or sequence error, 0 to 7. */
    public int retryCount;
    /** Retries after receiver-not-ready, 0 to 6; 7 for ever. */
    public int rnrRetry;
    /** Sequence number expected first, 24 bits. */
    public int receivePsn;
    /** Sequence number sent first, 24 bits. */
    public int sendPsn;
    /** Number of the peer's queue pair. */
    public int destinationQp;
    /** Outstanding READs and atomics as the requester. */
    public int maxReadAtomic;
    /** READs and atomics taken as the responder. */
    public int maxDestReadAtomic;
    /** Wait asked of the peer when no receive work request is there, a code of 5 bits. */
    public int minRnrTimer;
    /** Whether reaching SQD and having drained is reported. */
    public boolean notifyDrained;
    /** Where packets go. */
    public Gid destinationGid = Gid.ZERO;
    /** Slot of the GID table whose address packets carry as their source. */
    public int sourceGidIndex;
    /** Flow label, 20 bits. */
    public int flowLabel;
    /** Hop limit. */
    public int hopLimit;
    /** Traffic class. */
    public int trafficClass;
    /** Service level. */
    public int serviceLevel;
    /** In a query: whether a send queue drains at the moment. */
    public boolean draining;

    /** READs and atomics that may really be outstanding: {@link #maxReadAtomic} before it was rounded up. */
    int initiatorDepth;

    /** The attributes of a new queue pair. */
    public QueuePairSettings() {}

    /** What the IP header of packets says. */
    long ipFields() {
        return IpFields.toSend(trafficClass, flowLabel, hopLimit, false);
    }

    /** The path MTU as a power of two. */
    int mtuShift() {
        return pathMtu + 7;
    }

    /** How many packets a message takes (rule 3.1): at least one. */
    int packets(long length) {
        return length == 0 ? 1 : (int) ((length - 1 >>> mtuShift()) + 1);
    }

    /** A copy that later changes do not touch. */
    public QueuePairSettings copy() {
        QueuePairSettings copy = new QueuePairSettings();
        copy.copyFrom(this);
        return copy;
    }

    private void copyFrom(QueuePairSettings other) {
        state = other.state;
        currentState = other.currentState;
        accessFlags = other.accessFlags;
        pkeyIndex = other.pkeyIndex;
        port = other.port;
        qkey = other.qkey;
        pathMtu = other.pathMtu;
        timeout = other.timeout;
        retryCount = other.retryCount;
        rnrRetry = other.rnrRetry;
        receivePsn = other.receivePsn;
        sendPsn = other.sendPsn;
        destinationQp = other.destinationQp;
        maxReadAtomic = other.maxReadAtomic;
        maxDestReadAtomic = other.maxDestReadAtomic;
        minRnrTimer = other.minRnrTimer;
        notifyDrained = other.notifyDrained;
        destinationGid = other.destinationGid;
        sourceGidIndex = other.sourceGidIndex;
        flowLabel = other.flowLabel;
        hopLimit = other.hopLimit;
        trafficClass = other.trafficClass;
        serviceLevel = other.serviceLevel;
        draining = other.draining;
        initiatorDepth = other.initiatorDepth;
    }
}
