package dev.doorbell.soft.kernel;

import dev.doorbell.soft.cm.CmEndpoint;
import dev.doorbell.soft.cm.CmService;
import dev.doorbell.soft.cm.SidrQuestion;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmSidrReq;
import dev.doorbell.wire.cm.CmTransport;
import dev.doorbell.wire.cm.IpCmHeader;
import dev.doorbell.wire.cm.PrivateData;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests that come to a device: finds who listens, and makes the identifier that the program gets with the event. */
final class CmRequests implements CmService {
    private final RdmaCm manager;
    private final CmPort port;

    CmRequests(RdmaCm manager, CmPort port) {
        this.manager = manager;
        this.port = port;
    }

    @Override
    public @Nullable RejectReason onRequest(CmEndpoint endpoint, CmReq request) {
        IpCmHeader addresses = addresses(request.privateData());
        CmIdentifier listener = listener(request.serviceId(), addresses);
        if (addresses == null || listener == null) {
            return RejectReason.INVALID_SERVICE_ID;
        }
        RejectReason refusal = check(request, listener);
        if (refusal != null) {
            return refusal;
        }
        CmIdentifier id = admit(listener, addresses);
        if (id == null) {
            // As on Linux: a request that finds the backlog full is left unanswered, and comes again.
            return RejectReason.UNKNOWN;
        }
        id.endpoint = endpoint;
        id.typeOfService = request.primary().trafficClass();
        endpoint.setHandler(id);
        announce(listener, id, CmEventParameters.of(request));
        return null;
    }

    private static @Nullable IpCmHeader addresses(PrivateData data) {
        MemorySegment segment = data.segment();
        return IpCmHeader.check(segment, 0) == IpCmHeader.Defect.NONE ? IpCmHeader.read(segment, 0) : null;
    }

    private @Nullable CmIdentifier listener(long serviceId, @Nullable IpCmHeader addresses) {
        return addresses == null ? null : manager.listeners().find(serviceId, addresses.destination());
    }

    private @Nullable RejectReason check(CmReq request, CmIdentifier listener) {
        Gid own = request.primary().remoteGid();
        if (!port.has(own) || own.isMulticast() || request.primary().localGid().isMulticast()) {
            return RejectReason.INVALID_GID;
        }
        if (own.isIpv4Mapped() != request.primary().localGid().isIpv4Mapped()) {
            return RejectReason.INVALID_GID;
        }
        if (request.alternate().isPresent()) {
            return RejectReason.UNSUPPORTED_REQUEST;
        }
        QueuePairType wanted = request.transport() == CmTransport.RC ? QueuePairType.RC : QueuePairType.UC;
        boolean served = request.transport() == CmTransport.RC || request.transport() == CmTransport.UC;
        if (!served || wanted != listener.type()) {
            return RejectReason.INVALID_TRANSPORT_TYPE;
        }
        int most = port.device().hca().activeMtu().code();
        return request.pathMtu() < 1 || request.pathMtu() > most ? RejectReason.INVALID_MTU : null;
    }

    @Override
    public boolean onQuestion(SidrQuestion question) {
        CmSidrReq req = question.req();
        IpCmHeader addresses = addresses(req.privateData());
        CmIdentifier listener = listener(req.serviceId(), addresses);
        if (addresses == null || listener == null || !listener.isDatagram()) {
            return false;
        }
        CmIdentifier id = admit(listener, addresses);
        if (id == null) {
            return false;
        }
        id.question = question;
        announce(listener, id, CmEventParameters.of(req));
        return true;
    }

    /** Makes the identifier of a request; null if too many were not read yet, or there are too many of them. */
    private @Nullable CmIdentifier admit(CmIdentifier listener, IpCmHeader addresses) {
        if (listener.backlog.get() <= 0 || !port.hold()) {
            return null;
        }
        CmIdentifier id = manager.newIdentifier(listener.file(), listener.space(), listener.type(), listener);
        if (id == null) {
            port.release();
            return null;
        }
        id.state = CmIdState.CONNECTING;
        id.local = CmAddress.of(addresses.destination(), listener.local.port());
        id.remote = CmAddress.of(addresses.source(), addresses.sourcePort());
        id.port = port;
        id.held = Set.of(port);
        listener.backlog.decrementAndGet();
        listener.unread.add(id);
        return id;
    }

    private static void announce(CmIdentifier listener, CmIdentifier id, MemorySegment parameters) {
        listener.file()
                .raise(new CmNotice(
                        listener.source, listener.uid, id.number, CmEventType.CONNECT_REQUEST, 0, parameters, id));
    }
}
