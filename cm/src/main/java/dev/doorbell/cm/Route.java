package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmPathRecordData;
import dev.doorbell.kernel.abi.CmQueryPathResponse;
import dev.doorbell.kernel.abi.PathRecord;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.Rate;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A path that was resolved ({@code struct ibv_path_record}).
 *
 * <p>Thread rules: immutable.
 *
 * @param source own GID
 * @param destination GID of the peer
 * @param mtu path MTU
 * @param rate rate of the path; {@link Rate#MAX} for the port's
 * @param hopLimit hop limit
 * @param trafficClass traffic class
 * @param pkey P_Key
 * @param packetLifeTime code of the time that a packet may be under way: 4.096 µs · 2^code
 */
public record Route(
        Gid source, Gid destination, Mtu mtu, Rate rate, int hopLimit, int trafficClass, int pkey, int packetLifeTime) {
    static List<Route> read(MemorySegment answer) {
        int known = Math.clamp(CmQueryPathResponse.numPaths(answer, 0), 0, CmCommands.PATHS);
        List<Route> routes = new ArrayList<>();
        for (int i = 0; i < known; i++) {
            long at = CmQueryPathResponse.SIZE + (long) i * CmPathRecordData.SIZE + CmPathRecordData.PATH_REC;
            routes.add(new Route(
                    PathRecord.sgid(answer, at),
                    PathRecord.dgid(answer, at),
                    Mtu.of(Math.clamp(PathRecord.mtu(answer, at), 1, 5)),
                    Rate.of(PathRecord.rate(answer, at)),
                    PathRecord.hopLimit(answer, at),
                    PathRecord.trafficClass(answer, at),
                    PathRecord.pkey(answer, at),
                    PathRecord.packetLifeTime(answer, at)));
        }
        return List.copyOf(routes);
    }
}
