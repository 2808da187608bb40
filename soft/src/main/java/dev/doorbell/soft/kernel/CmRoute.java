package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The way of an identifier's packets.
 *
 * @param source own address
 * @param sourceIndex its slot in the device's table
 * @param destination where they go
 * @param hopLimit of the IP header
 * @param trafficClass of the IP header
 * @param flowLabel of the IP header
 */
record CmRoute(Gid source, int sourceIndex, Gid destination, int hopLimit, int trafficClass, int flowLabel) {
    /** As Linux has it on RoCE v2. */
    static final int HOP_LIMIT = 64;

    /** The route of an identifier that knows its device and its peer. */
    static CmRoute of(CmIdentifier id) {
        CmPort port = id.port;
        Gid source = id.local.gid();
        int index = port == null ? 0 : Math.max(0, port.gidIndex(source));
        return new CmRoute(source, index, id.remote.gid(), HOP_LIMIT, id.typeOfService, 0);
    }

    /** Writes it as an address vector. */
    void write(MemorySegment segment, long at) {
        AhAttributes.setDgid(segment, at, destination);
        AhAttributes.setFlowLabel(segment, at, flowLabel);
        AhAttributes.setSgidIndex(segment, at, sourceIndex);
        AhAttributes.setHopLimit(segment, at, hopLimit);
        AhAttributes.setTrafficClass(segment, at, trafficClass);
        AhAttributes.setIsGlobal(segment, at, 1);
        AhAttributes.setPortNum(segment, at, SoftDevice.PORT);
    }
}
