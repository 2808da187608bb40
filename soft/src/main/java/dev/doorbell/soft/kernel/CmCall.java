package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.soft.cm.CmEndpoint;
import dev.doorbell.soft.cm.CmTimes;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.wire.cm.CmPath;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmSidrReq;
import dev.doorbell.wire.cm.CmTransport;
import dev.doorbell.wire.cm.IpCmHeader;
import dev.doorbell.wire.cm.PrivateData;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a CONNECT or an ACCEPT, and the messages that are made from them with the values that Linux uses.
 *
 * @param bytes a copy of the struct, so that a program that changes it meanwhile changes nothing
 */
record CmCall(MemorySegment bytes) {
    private static final int PKEY = 0xffff;
    private static final int MOST_RETRIES = 7;

    static CmCall read(MemorySegment in, long at) {
        MemorySegment copy = MemorySegment.ofArray(new byte[CmConnectionParameters.SIZE]);
        return new CmCall(copy.copyFrom(in.asSlice(at, CmConnectionParameters.SIZE)));
    }

    boolean valid() {
        return CmConnectionParameters.valid(bytes, 0) != 0;
    }

    int queuePairNumber() {
        return CmConnectionParameters.qpNum(bytes, 0);
    }

    int queueKey() {
        return CmConnectionParameters.qkey(bytes, 0);
    }

    /** The program's private data in an area of this size; null if it does not fit. */
    @Nullable
    PrivateData data(int capacity) {
        byte[] data = data(
                bytes, CmConnectionParameters.PRIVATE_DATA, CmConnectionParameters.privateDataLen(bytes, 0), capacity);
        return data == null ? null : PrivateData.of(data, capacity);
    }

    /** So much private data of a command; null if it is more than may be. */
    static byte @Nullable [] data(MemorySegment in, long at, int length, int most) {
        if (length > most) {
            return null;
        }
        byte[] data = new byte[length];
        MemorySegment.ofArray(data).copyFrom(in.asSlice(at, length));
        return data;
    }

    /** The program's private data behind the addresses, in an area of this size; null if it does not fit. */
    private @Nullable PrivateData addressed(CmIdentifier id, int capacity) {
        byte[] data = data(
                bytes,
                CmConnectionParameters.PRIVATE_DATA,
                CmConnectionParameters.privateDataLen(bytes, 0),
                capacity - IpCmHeader.SIZE);
        return data == null ? null : addresses(id).with(data, capacity);
    }

    /** The queue pair, whose peer shall begin with this number. */
    CmQueuePair queuePair(int sequence) {
        return new CmQueuePair(
                queuePairNumber() & 0xffffff,
                0,
                sequence,
                CmConnectionParameters.responderResources(bytes, 0),
                CmConnectionParameters.initiatorDepth(bytes, 0),
                Math.min(MOST_RETRIES, CmConnectionParameters.retryCount(bytes, 0)),
                Math.min(MOST_RETRIES, CmConnectionParameters.rnrRetryCount(bytes, 0)),
                CmConnectionParameters.flowControl(bytes, 0) != 0,
                CmConnectionParameters.srq(bytes, 0) != 0);
    }

    /** Asks for a connection. */
    int request(CmIdentifier id, CmPort port, RdmaCm manager) {
        PrivateData data = addressed(id, CmReq.PRIVATE_DATA);
        if (data == null) {
            return Errno.EINVAL;
        }
        CmEndpoint endpoint = port.agent().newEndpoint(id.local.gid(), id.remote.gid());
        endpoint.setHandler(id);
        id.endpoint = endpoint;
        id.state = CmIdState.CONNECTING;
        CmReq req = new CmReq(
                endpoint.localCommId(),
                id.space().serviceId(id.remote.port()),
                port.agent().guid(),
                queuePair(id.sequence),
                id.type() == QueuePairType.UC ? CmTransport.UC : CmTransport.RC,
                0,
                new CmReq.Timing(CmTimes.RESPONSE_TIMEOUT, CmTimes.RESPONSE_TIMEOUT, CmTimes.MAX_RETRIES),
                PKEY,
                port.device().hca().activeMtu().code(),
                path(id),
                CmPath.NONE,
                data);
        endpoint.request(req, id.packetLifeTime, manager.nowNs());
        return 0;
    }

    /** Asks for the queue pair of a datagram service. */
    int ask(CmIdentifier id, CmPort port, RdmaCm manager) {
        PrivateData data = addressed(id, CmSidrReq.PRIVATE_DATA);
        if (data == null) {
            return Errno.EINVAL;
        }
        id.state = CmIdState.CONNECTING;
        id.request = port.agent()
                .questions()
                .ask(
                        id.local.gid(),
                        id.remote.gid(),
                        new CmSidrReq(0, PKEY, id.space().serviceId(id.remote.port()), data),
                        id,
                        manager.nowNs());
        return 0;
    }

    private static IpCmHeader addresses(CmIdentifier id) {
        return new IpCmHeader(id.local.port(), id.local.gid(), id.remote.gid());
    }

    private static CmPath path(CmIdentifier id) {
        CmRoute route = CmRoute.of(id);
        return new CmPath(
                CmPath.PERMISSIVE_LID,
                CmPath.PERMISSIVE_LID,
                route.source(),
                route.destination(),
                route.flowLabel(),
                0,
                route.trafficClass(),
                route.hopLimit(),
                0,
                false,
                CmTimes.ackTimeout(CmTimes.ACK_DELAY, id.packetLifeTime));
    }
}
