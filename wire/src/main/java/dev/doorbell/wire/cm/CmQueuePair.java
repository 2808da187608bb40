package dev.doorbell.wire.cm;

/**
 * What a side says about its queue pair, in a REQ or a REP.
 *
 * @param qpn number, 24 bits
 * @param qkey Q_Key; 0 for connected services
 * @param startingPsn the number with which the <em>receiver</em> of the message begins to send; 24 bits
 * @param responderResources READs and atomics of the other side that this side takes at a time
 * @param initiatorDepth READs and atomics that this side wants to have outstanding
 * @param retryCount how often to repeat, for both sides; only in a REQ
 * @param rnrRetry how often the receiver of the message repeats after "receiver not ready"; 7 is for ever
 * @param flowControl whether end-to-end flow control is offered
 * @param srq whether it receives from a shared queue
 */
public record CmQueuePair(
        int qpn,
        int qkey,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetry,
        boolean flowControl,
        boolean srq) {
    @Override
    public String toString() {
        return "qp=0x%x psn=%06x resources=%d depth=%d retry=%d rnr=%d%s%s%s"
                .formatted(
                        qpn,
                        startingPsn,
                        responderResources,
                        initiatorDepth,
                        retryCount,
                        rnrRetry,
                        qkey == 0 ? "" : " qkey=0x%08x".formatted(qkey),
                        flowControl ? " flow-control" : "",
                        srq ? " srq" : "");
    }
}
