package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.CmSidrReq;
import dev.doorbell.wire.cm.PrivateData;
import org.jspecify.annotations.Nullable;

/** A question that another device asked, until some time after the answer. */
public final class SidrQuestion extends Timed {
    private final SidrTable table;
    private final CmSidrReq req;
    private final long transactionId;
    private final Gid source;
    private final Gid destination;
    private @Nullable CmMad answer;

    /**
     * @param own the address that was asked
     * @param asker the address that asks
     */
    SidrQuestion(SidrTable table, CmSidrReq req, long transactionId, Gid own, Gid asker) {
        this.table = table;
        this.req = req;
        this.transactionId = transactionId;
        this.source = own;
        this.destination = asker;
    }

    /** What is asked. */
    public CmSidrReq req() {
        return req;
    }

    /** The address that was asked. */
    public Gid source() {
        return source;
    }

    /** The address that asks. */
    public Gid destination() {
        return destination;
    }

    SidrTable.Asker asker() {
        return new SidrTable.Asker(req.requestId(), destination);
    }

    /** Whether it waits for an answer. */
    public boolean isOpen() {
        return answer == null;
    }

    /** Names a queue pair. Answers false, and does nothing, if there was an answer before. */
    public boolean answer(int qpn, int qkey, PrivateData data, long nowNs) {
        return conclude(
                new CmSidrRep(
                        req.requestId(),
                        CmSidrRep.VALID,
                        0,
                        qpn,
                        req.serviceId(),
                        qkey,
                        PrivateData.zero(CmSidrRep.ADDITIONAL),
                        data),
                nowNs);
    }

    /** Refuses, and remembers it no longer: whoever asks again asks the program again. */
    public boolean refuse(int status) {
        if (!isOpen()) {
            return false;
        }
        say(refusal(status, PrivateData.zero(CmSidrRep.PRIVATE_DATA)));
        table.forget(this);
        return true;
    }

    /** Refuses with private data. */
    public boolean reject(PrivateData data, long nowNs) {
        return conclude(refusal(CmSidrRep.REJECTED, data), nowNs);
    }

    private CmSidrRep refusal(int status, PrivateData data) {
        return new CmSidrRep(
                req.requestId(), status, 0, 0, req.serviceId(), 0, PrivateData.zero(CmSidrRep.ADDITIONAL), data);
    }

    private boolean conclude(CmSidrRep rep, long nowNs) {
        if (!isOpen()) {
            return false;
        }
        say(rep);
        table.remember(this, nowNs + CmTimes.nanos(CmTimes.RESPONSE_TIMEOUT));
        return true;
    }

    private void say(CmSidrRep rep) {
        CmMad mad = new CmMad(transactionId, rep);
        answer = mad;
        table.send(mad, source, destination);
    }

    /** Asked again: the answer got lost, or is not there yet. */
    void again() {
        CmMad given = answer;
        if (given != null) {
            table.send(given, source, destination);
        }
    }

    @Override
    void expire(long nowNs) {
        table.expired(this);
    }
}
