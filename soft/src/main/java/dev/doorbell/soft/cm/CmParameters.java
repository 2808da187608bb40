package dev.doorbell.soft.cm;

import dev.doorbell.wire.cm.CmPath;

/**
 * What the two sides agreed on, as far as they have got, from this side's point of view: what its queue pair needs.
 *
 * @param path local is this side, remote the other one
 * @param pathMtu code of the path MTU
 * @param remoteQpn the other side's queue pair; 0 while it is not known
 * @param receivePsn number of the first packet that comes
 * @param sendPsn number of the first packet to send
 * @param responderResources READs and atomics of the other side that this side takes at a time
 * @param initiatorDepth READs and atomics that this side may have outstanding
 * @param retryCount how often to repeat
 * @param rnrRetry how often to repeat after "receiver not ready"
 * @param ackTimeout code of the acknowledgement timeout
 */
public record CmParameters(
        CmPath path,
        int pathMtu,
        int remoteQpn,
        int receivePsn,
        int sendPsn,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetry,
        int ackTimeout) {
    /** Before anything is known. */
    static final CmParameters NONE = new CmParameters(CmPath.NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
