package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmJoinIpMcast;
import dev.doorbell.kernel.abi.CmJoinMcast;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Bth;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** JOIN_MCAST, its older form JOIN_IP_MCAST, and LEAVE_MCAST. */
final class CmMulticastCommands {
    private final RdmaCmFile file;

    private CmMulticastCommands(RdmaCmFile file) {
        this.file = file;
    }

    static void register(RdmaCmFile file) {
        CmMulticastCommands commands = new CmMulticastCommands(file);
        file.add(
                CmCommand.JOIN_MCAST,
                CmJoinMcast.SIZE,
                CmCreateIdResponse.SIZE,
                RdmaCmFile.about(file, in -> CmJoinMcast.id(in, 0), commands::join));
        file.add(
                CmCommand.JOIN_IP_MCAST,
                CmJoinIpMcast.SIZE,
                CmCreateIdResponse.SIZE,
                RdmaCmFile.about(file, in -> CmJoinIpMcast.id(in, 0), commands::joinIp));
        file.add(CmCommand.LEAVE_MCAST, CmDestroyId.SIZE, CmDestroyIdResponse.SIZE, commands::leave);
    }

    private int join(CmIdentifier id, Call call) {
        MemorySegment in = call.in();
        int flags = CmJoinMcast.joinFlags(in, 0);
        CmAddress group = CmAddress.read(in, CmJoinMcast.ADDR, CmJoinMcast.addrSize(in, 0));
        if (flags != CmIds.JOIN_FULL_MEMBER && flags != CmIds.JOIN_SEND_ONLY) {
            return Errno.EINVAL;
        }
        return join(id, group, CmJoinMcast.uid(in, 0), call);
    }

    private int joinIp(CmIdentifier id, Call call) {
        CmAddress group = CmAddress.readOld(call.in(), CmJoinIpMcast.ADDR);
        return join(id, group, CmJoinIpMcast.uid(call.in(), 0), call);
    }

    private int join(CmIdentifier id, @Nullable CmAddress group, long uid, Call call) {
        CmPort port = id.port;
        boolean early = id.state == CmIdState.BOUND || id.state == CmIdState.ADDRESS_RESOLVED;
        if (group == null
                || port == null
                || !early
                || !id.isDatagram()
                || !group.gid().isMulticast()) {
            return Errno.EINVAL;
        }
        CmMembership membership = file.manager().newMembership(id, uid, group.gid());
        if (membership == null) {
            return Errno.ENOMEM;
        }
        CmCreateIdResponse.setId(call.out(), 0, membership.number());
        announce(membership, port);
        return 0;
    }

    /** There is nobody to ask: a queue pair that is attached to the group makes the link join it. */
    private void announce(CmMembership membership, CmPort port) {
        CmIdentifier id = membership.id();
        Gid source = id.local.gid();
        int index = Math.max(0, port.gidIndex(source));
        CmRoute route = new CmRoute(source, index, membership.group(), 1, id.typeOfService, 0);
        file.raise(new CmNotice(
                membership.source(),
                membership.uid(),
                membership.number(),
                CmEventType.MULTICAST_JOIN,
                0,
                CmEventParameters.group(route, Bth.MULTICAST_QP, id.queueKey),
                null));
    }

    private int leave(Call call) {
        CmMembership membership = file.manager().membership(file, CmDestroyId.id(call.in(), 0));
        if (membership == null) {
            return Errno.ENOENT;
        }
        CmDestroyIdResponse.setEventsReported(call.out(), 0, file.manager().leave(membership));
        return 0;
    }
}
