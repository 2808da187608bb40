package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmBind;
import dev.doorbell.kernel.abi.CmBindIp;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmResolveAddr;
import dev.doorbell.kernel.abi.CmResolveIp;
import dev.doorbell.kernel.abi.CmResolveRoute;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** BIND, RESOLVE_ADDR and RESOLVE_ROUTE, and the older forms of the first two. */
final class CmAddressCommands {
    private final CmResolution resolution;

    private CmAddressCommands(RdmaCmFile file) {
        this.resolution = new CmResolution(file.manager());
    }

    static void register(RdmaCmFile file) {
        CmAddressCommands commands = new CmAddressCommands(file);
        file.add(CmCommand.BIND, CmBind.SIZE, 0, RdmaCmFile.about(file, in -> CmBind.id(in, 0), commands::bind));
        file.add(
                CmCommand.BIND_IP,
                CmBindIp.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmBindIp.id(in, 0), commands::bindIp));
        file.add(
                CmCommand.RESOLVE_ADDR,
                CmResolveAddr.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmResolveAddr.id(in, 0), commands::resolve));
        file.add(
                CmCommand.RESOLVE_IP,
                CmResolveIp.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmResolveIp.id(in, 0), commands::resolveIp));
        file.add(
                CmCommand.RESOLVE_ROUTE,
                CmResolveRoute.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmResolveRoute.id(in, 0), CmAddressCommands::resolveRoute));
    }

    private int bind(CmIdentifier id, Call call) {
        if (Sockaddr.family(call.in(), CmBind.ADDR) == CmIds.AF_IB) {
            return Errno.EAFNOSUPPORT;
        }
        return bind(id, CmAddress.read(call.in(), CmBind.ADDR, CmBind.addrSize(call.in(), 0)));
    }

    private int bindIp(CmIdentifier id, Call call) {
        return bind(id, CmAddress.readOld(call.in(), CmBindIp.ADDR));
    }

    private int bind(CmIdentifier id, @Nullable CmAddress address) {
        return address == null ? Errno.EINVAL : resolution.bind(id, address);
    }

    private int resolve(CmIdentifier id, Call call) {
        MemorySegment in = call.in();
        int sourceSize = CmResolveAddr.srcSize(in, 0);
        CmAddress from = CmAddress.read(in, CmResolveAddr.SRC_ADDR, sourceSize);
        CmAddress to = CmAddress.read(in, CmResolveAddr.DST_ADDR, CmResolveAddr.dstSize(in, 0));
        if (to == null || (sourceSize != 0 && from == null)) {
            return Errno.EINVAL;
        }
        return resolve(id, from, to);
    }

    private int resolveIp(CmIdentifier id, Call call) {
        MemorySegment in = call.in();
        CmAddress to = CmAddress.readOld(in, CmResolveIp.DST_ADDR);
        return to == null ? Errno.EINVAL : resolve(id, CmAddress.readOld(in, CmResolveIp.SRC_ADDR), to);
    }

    private int resolve(CmIdentifier id, @Nullable CmAddress from, CmAddress to) {
        if (id.state == CmIdState.IDLE) {
            CmAddress any =
                    to.withGid(to.ipv6() ? Gid.ZERO : CmAddress.ANY.gid()).withPort(0);
            int refusal = resolution.bind(id, from == null ? new CmAddress(any.ipv6(), any.gid(), 0, 0) : from);
            if (refusal != 0) {
                return refusal;
            }
        }
        if (id.state != CmIdState.BOUND || id.local.ipv6() != to.ipv6() || to.lacksScope()) {
            return Errno.EINVAL;
        }
        // As on Linux: that there is no route shows at once, and what shows at once is no event.
        int failure = to.gid().isMulticast() && !id.isDatagram() ? Errno.ENETUNREACH : resolution.resolve(id, to);
        if (failure == 0) {
            id.state = CmIdState.ADDRESS_RESOLVED;
            id.raise(CmEventType.ADDR_RESOLVED, 0);
        }
        return failure;
    }

    private static int resolveRoute(CmIdentifier id, Call call) {
        if (id.state != CmIdState.ADDRESS_RESOLVED) {
            return Errno.EINVAL;
        }
        id.state = CmIdState.ROUTE_RESOLVED;
        id.raise(CmEventType.ROUTE_RESOLVED, 0);
        return 0;
    }
}
