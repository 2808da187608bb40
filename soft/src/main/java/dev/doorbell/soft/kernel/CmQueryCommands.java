package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmPathRecordData;
import dev.doorbell.kernel.abi.CmQuery;
import dev.doorbell.kernel.abi.CmQueryAddrResponse;
import dev.doorbell.kernel.abi.CmQueryPathResponse;
import dev.doorbell.kernel.abi.CmQueryRouteResponse;
import dev.doorbell.kernel.abi.CmUserPathRecord;
import dev.doorbell.kernel.abi.PathRecord;
import dev.doorbell.kernel.abi.SockaddrIb;
import java.lang.foreign.MemorySegment;

/** QUERY and its older form QUERY_ROUTE: what is known of an identifier. */
final class CmQueryCommands {
    private static final int PKEY = 0xffff;
    private static final int EXACTLY = 2;
    private static final int PATH_FLAGS = CmIds.PATH_GMP | CmIds.PATH_PRIMARY | CmIds.PATH_BIDIRECTIONAL;

    /** The code of 2.5 Gb/s and of the ports that say nothing. */
    private static final int RATE = 2;

    private CmQueryCommands() {}

    static void register(RdmaCmFile file) {
        file.add(
                CmCommand.QUERY,
                CmQuery.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmQuery.id(in, 0), CmQueryCommands::query));
        file.add(
                CmCommand.QUERY_ROUTE,
                CmQuery.SIZE - 2 * Integer.BYTES + Integer.BYTES,
                CmQueryRouteResponse.SIZE,
                RdmaCmFile.about(file, in -> CmQuery.id(in, 0), CmQueryCommands::queryRoute));
    }

    private static int query(CmIdentifier id, Call call) {
        return switch (CmQuery.option(call.in(), 0)) {
            case CmIds.QUERY_ADDR -> queryAddress(id, call);
            case CmIds.QUERY_PATH -> queryPath(id, call);
            case CmIds.QUERY_GID -> queryGid(id, call);
            default -> Errno.ENOSYS;
        };
    }

    private static boolean hasRemote(CmIdentifier id) {
        return switch (id.state) {
            case IDLE, BOUND, LISTENING -> false;
            case ADDRESS_RESOLVED, ROUTE_RESOLVED, CONNECTING, DISCONNECTED -> true;
        };
    }

    private static boolean hasRoute(CmIdentifier id) {
        return hasRemote(id) && id.state != CmIdState.ADDRESS_RESOLVED;
    }

    private static void device(CmIdentifier id, MemorySegment out) {
        CmPort port = id.port;
        if (port != null) {
            CmQueryAddrResponse.setNodeGuid(out, 0, port.device().nodeGuid());
            CmQueryAddrResponse.setPortNum(out, 0, SoftDevice.PORT);
            CmQueryAddrResponse.setPkey(out, 0, PKEY);
            CmQueryAddrResponse.setIbdevIndex(out, 0, port.index());
        }
    }

    private static int queryAddress(CmIdentifier id, Call call) {
        MemorySegment out = call.out();
        if (out.byteSize() < CmQueryAddrResponse.SIZE) {
            return Errno.ENOSPC;
        }
        out.asSlice(0, CmQueryAddrResponse.SIZE).fill((byte) 0);
        device(id, out);
        if (id.state != CmIdState.IDLE) {
            CmQueryAddrResponse.setSrcSize(out, 0, id.local.write(out, CmQueryAddrResponse.SRC_ADDR));
        }
        if (hasRemote(id)) {
            CmQueryAddrResponse.setDstSize(out, 0, id.remote.write(out, CmQueryAddrResponse.DST_ADDR));
        }
        return 0;
    }

    private static int queryGid(CmIdentifier id, Call call) {
        MemorySegment out = call.out();
        if (out.byteSize() < CmQueryAddrResponse.SIZE) {
            return Errno.ENOSPC;
        }
        out.asSlice(0, CmQueryAddrResponse.SIZE).fill((byte) 0);
        device(id, out);
        CmQueryAddrResponse.setSrcSize(out, 0, SockaddrIb.SIZE);
        CmQueryAddrResponse.setDstSize(out, 0, SockaddrIb.SIZE);
        int at = CmQueryAddrResponse.SRC_ADDR;
        SockaddrIb.set(out, at, PKEY, id.local.gid(), id.space().serviceId(id.local.port()));
        int other = CmQueryAddrResponse.DST_ADDR;
        SockaddrIb.set(out, other, PKEY, id.remote.gid(), id.space().serviceId(id.remote.port()));
        return 0;
    }

    private static int mtu(CmIdentifier id) {
        CmPort port = id.port;
        if (id.endpoint != null) {
            return id.endpoint.parameters().pathMtu();
        }
        return port == null ? 0 : port.device().hca().activeMtu().code();
    }

    private static int queryPath(CmIdentifier id, Call call) {
        MemorySegment out = call.out();
        if (out.byteSize() < CmQueryPathResponse.SIZE) {
            return Errno.ENOSPC;
        }
        out.asSlice(0, CmQueryPathResponse.SIZE).fill((byte) 0);
        boolean known = hasRoute(id);
        CmQueryPathResponse.setNumPaths(out, 0, known ? 1 : 0);
        if (known && out.byteSize() >= CmQueryPathResponse.SIZE + CmPathRecordData.SIZE) {
            int at = CmQueryPathResponse.SIZE;
            out.asSlice(at, CmPathRecordData.SIZE).fill((byte) 0);
            CmPathRecordData.setFlags(out, at, PATH_FLAGS);
            int path = at + CmPathRecordData.PATH_REC;
            CmRoute route = CmRoute.of(id);
            PathRecord.setGids(out, path, route.destination(), route.source());
            PathRecord.setRoute(out, path, route.flowLabel(), route.hopLimit(), route.trafficClass());
            PathRecord.setQualities(out, path, PKEY, 0, mtu(id), RATE, id.packetLifeTime);
        }
        return 0;
    }

    private static int queryRoute(CmIdentifier id, Call call) {
        MemorySegment out = call.out();
        out.asSlice(0, CmQueryRouteResponse.SIZE).fill((byte) 0);
        if (id.state != CmIdState.IDLE) {
            id.local.write(out, CmQueryRouteResponse.SRC_ADDR);
        }
        if (hasRemote(id)) {
            id.remote.write(out, CmQueryRouteResponse.DST_ADDR);
        }
        CmPort port = id.port;
        if (port != null) {
            CmQueryRouteResponse.setNodeGuid(out, 0, port.device().nodeGuid());
            CmQueryRouteResponse.setPortNum(out, 0, SoftDevice.PORT);
            CmQueryRouteResponse.setIbdevIndex(out, 0, port.index());
            CmQueryRouteResponse.setNumPaths(out, 0, hasRoute(id) ? 1 : 0);
            path(id, out, CmQueryRouteResponse.IB_ROUTE);
        }
        return 0;
    }

    private static void path(CmIdentifier id, MemorySegment out, int at) {
        CmRoute route = CmRoute.of(id);
        CmUserPathRecord.setDgid(out, at, route.destination());
        CmUserPathRecord.setSgid(out, at, route.source());
        CmUserPathRecord.setPkey(out, at, PKEY);
        if (hasRoute(id)) {
            CmUserPathRecord.setReversible(out, at, 1);
            CmUserPathRecord.setMtu(out, at, mtu(id));
            CmUserPathRecord.setMtuSelector(out, at, EXACTLY);
            CmUserPathRecord.setRate(out, at, RATE);
            CmUserPathRecord.setRateSelector(out, at, EXACTLY);
            CmUserPathRecord.setHopLimit(out, at, route.hopLimit());
            CmUserPathRecord.setTrafficClass(out, at, route.trafficClass());
            CmUserPathRecord.setPacketLifeTime(out, at, id.packetLifeTime);
            CmUserPathRecord.setPacketLifeTimeSelector(out, at, EXACTLY);
        }
    }
}
