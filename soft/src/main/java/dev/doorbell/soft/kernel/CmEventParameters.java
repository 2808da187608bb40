package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmDatagramParameters;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.CmSidrReq;
import dev.doorbell.wire.cm.IpCmHeader;
import dev.doorbell.wire.cm.PrivateData;
import java.lang.foreign.MemorySegment;

/**
 * What events say besides their kind. Resources and depth are told from the receiver's point of view: what the other side
 * takes is what this side may have outstanding.
 */
final class CmEventParameters {
    private CmEventParameters() {}

    /** Of a request; its private data without the header. */
    static MemorySegment of(CmReq req) {
        MemorySegment out = connection(req.queuePair());
        CmConnectionParameters.setRetryCount(out, 0, req.queuePair().retryCount());
        data(out, req.privateData().segment().asSlice(IpCmHeader.SIZE));
        return out;
    }

    /** Of a reply. */
    static MemorySegment of(CmRep rep) {
        MemorySegment out = connection(rep.queuePair());
        data(out, rep.privateData().segment());
        return out;
    }

    /** Private data alone, as of a rejection. */
    static MemorySegment of(PrivateData data) {
        MemorySegment out = zeros(CmConnectionParameters.SIZE);
        data(out, data.segment());
        return out;
    }

    /** Of a question for a datagram service; its private data without the header. */
    static MemorySegment of(CmSidrReq req) {
        MemorySegment out = zeros(CmDatagramParameters.SIZE);
        datagramData(out, req.privateData().segment().asSlice(IpCmHeader.SIZE));
        return out;
    }

    /** Of an answer that names a queue pair. */
    static MemorySegment of(CmSidrRep rep, CmRoute route) {
        MemorySegment out = group(route, rep.qpn(), rep.qkey());
        datagramData(out, rep.privateData().segment());
        return out;
    }

    /** Of an answer that names none. */
    static MemorySegment refused(CmSidrRep rep) {
        MemorySegment out = zeros(CmDatagramParameters.SIZE);
        datagramData(out, rep.privateData().segment());
        return out;
    }

    /** Of a multicast group. */
    static MemorySegment group(CmRoute route, int qpn, int qkey) {
        MemorySegment out = zeros(CmDatagramParameters.SIZE);
        CmDatagramParameters.setQpNum(out, 0, qpn);
        CmDatagramParameters.setQkey(out, 0, qkey);
        route.write(out, CmDatagramParameters.AH_ATTR);
        return out;
    }

    private static MemorySegment connection(CmQueuePair other) {
        MemorySegment out = zeros(CmConnectionParameters.SIZE);
        CmConnectionParameters.setQpNum(out, 0, other.qpn());
        CmConnectionParameters.setSrq(out, 0, other.srq() ? 1 : 0);
        CmConnectionParameters.setResponderResources(out, 0, other.initiatorDepth());
        CmConnectionParameters.setInitiatorDepth(out, 0, other.responderResources());
        CmConnectionParameters.setFlowControl(out, 0, other.flowControl() ? 1 : 0);
        CmConnectionParameters.setRnrRetryCount(out, 0, other.rnrRetry());
        return out;
    }

    private static void data(MemorySegment out, MemorySegment data) {
        CmConnectionParameters.setPrivateDataLen(out, 0, (int) data.byteSize());
        MemorySegment.copy(data, 0, out, CmConnectionParameters.PRIVATE_DATA, data.byteSize());
    }

    private static void datagramData(MemorySegment out, MemorySegment data) {
        CmDatagramParameters.setPrivateDataLen(out, 0, (int) data.byteSize());
        MemorySegment.copy(data, 0, out, CmDatagramParameters.PRIVATE_DATA, data.byteSize());
    }

    private static MemorySegment zeros(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }
}
