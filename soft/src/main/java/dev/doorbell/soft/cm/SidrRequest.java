package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.CmSidrReq;

/** A question that this device asked, until it is answered or given up. */
public final class SidrRequest extends Timed {
    private final SidrTable table;
    private final CmSidrReq req;
    private final Gid source;
    private final Gid destination;
    private SidrHandler handler = SidrHandler.NOBODY;
    private long transactionId;
    private int retriesLeft = CmTimes.MAX_RETRIES;

    SidrRequest(SidrTable table, CmSidrReq req, Gid source, Gid destination) {
        this.table = table;
        this.req = req;
        this.source = source;
        this.destination = destination;
    }

    int id() {
        return req.requestId();
    }

    Gid destination() {
        return destination;
    }

    void start(SidrHandler value, long transaction, long nowNs) {
        handler = value;
        transactionId = transaction;
        send(nowNs);
    }

    private void send(long nowNs) {
        table.send(new CmMad(transactionId, req), source, destination);
        table.waitUntil(this, nowNs + CmTimes.nanos(CmTimes.RESPONSE_TIMEOUT));
    }

    @Override
    void expire(long nowNs) {
        if (retriesLeft > 0) {
            retriesLeft--;
            send(nowNs);
        } else {
            SidrHandler told = handler;
            close();
            told.onUnreachable();
        }
    }

    void answered(CmSidrRep rep) {
        SidrHandler told = handler;
        close();
        told.onAnswer(rep);
    }

    /** Nobody cares any more. Idempotent. */
    public void close() {
        handler = SidrHandler.NOBODY;
        table.forget(this);
    }
}
