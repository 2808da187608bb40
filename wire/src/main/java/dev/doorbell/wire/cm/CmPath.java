package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A path of a connection, as a request describes it.
 *
 * <pre>
 *      0  be16  localLid
 *      2  be16  remoteLid
 *      4  gid   localGid
 *     20  gid   remoteGid
 *     36  be32  flowLabel 20 bits | reserved 6 | packetRate 6
 *     40  be8   trafficClass
 *     41  be8   hopLimit
 *     42  be8   serviceLevel 4 | subnetLocal 1 | reserved 3
 *     43  be8   ackTimeout 5 | reserved 3
 *     44  bytes in all
 * </pre>
 *
 * @param localLid the sender's LID; 0xffff on RoCE beyond the subnet
 * @param remoteLid the receiver's
 * @param localGid the sender's address
 * @param remoteGid the receiver's
 * @param flowLabel 20 bits
 * @param packetRate a code; 0 is the port's own
 * @param trafficClass of the IP header
 * @param hopLimit of the IP header
 * @param serviceLevel 4 bits
 * @param subnetLocal whether no router is on the way
 * @param ackTimeout code of 5 bits, for the receiver's queue pair
 */
public record CmPath(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {
    /** Bytes of a path. */
    public static final int SIZE = 44;

    /** No path: what stands where there is no alternate one. */
    public static final CmPath NONE = new CmPath(0, 0, Gid.ZERO, Gid.ZERO, 0, 0, 0, 0, 0, false, 0);

    /** The LID that stands for none, towards another subnet. */
    public static final int PERMISSIVE_LID = 0xffff;

    private static final int REMOTE_LID = 2;
    private static final int LOCAL_GID = 4;
    private static final int REMOTE_GID = 20;
    private static final int FLOW = 36;
    private static final int TRAFFIC_CLASS = 40;
    private static final int HOP_LIMIT = 41;
    private static final int LEVEL = 42;
    private static final int TIMEOUT = 43;

    private static final int FLOW_SHIFT = 12;
    private static final int RATE_MASK = 0x3f;
    private static final int LEVEL_SHIFT = 4;
    private static final int SUBNET_LOCAL = 0x08;
    private static final int TIMEOUT_SHIFT = 3;

    static CmPath read(MemorySegment segment, long at) {
        int flow = Be.getInt(segment, at + FLOW);
        int level = Be.getUnsignedByte(segment, at + LEVEL);
        return new CmPath(
                Be.getUnsignedShort(segment, at),
                Be.getUnsignedShort(segment, at + REMOTE_LID),
                Bits.gid(segment, at + LOCAL_GID),
                Bits.gid(segment, at + REMOTE_GID),
                flow >>> FLOW_SHIFT,
                flow & RATE_MASK,
                Be.getUnsignedByte(segment, at + TRAFFIC_CLASS),
                Be.getUnsignedByte(segment, at + HOP_LIMIT),
                level >>> LEVEL_SHIFT,
                (level & SUBNET_LOCAL) != 0,
                Be.getUnsignedByte(segment, at + TIMEOUT) >>> TIMEOUT_SHIFT);
    }

    void write(MemorySegment segment, long at) {
        Be.setShort(segment, at, localLid);
        Be.setShort(segment, at + REMOTE_LID, remoteLid);
        Bits.setGid(segment, at + LOCAL_GID, localGid);
        Bits.setGid(segment, at + REMOTE_GID, remoteGid);
        Be.setInt(segment, at + FLOW, flowLabel << FLOW_SHIFT | packetRate & RATE_MASK);
        Be.setByte(segment, at + TRAFFIC_CLASS, trafficClass);
        Be.setByte(segment, at + HOP_LIMIT, hopLimit);
        Be.setByte(segment, at + LEVEL, serviceLevel << LEVEL_SHIFT | (subnetLocal ? SUBNET_LOCAL : 0));
        Be.setByte(segment, at + TIMEOUT, ackTimeout << TIMEOUT_SHIFT);
    }

    /** Whether there is a path. */
    public boolean isPresent() {
        return localLid != 0 || !localGid.isZero();
    }

    @Override
    public String toString() {
        return localGid + "→" + remoteGid + " hops=" + hopLimit + " ack-timeout=" + ackTimeout
                + (flowLabel == 0 ? "" : " flow=0x%05x".formatted(flowLabel))
                + (trafficClass == 0 ? "" : " tc=" + trafficClass)
                + (serviceLevel == 0 ? "" : " sl=" + serviceLevel)
                + (packetRate == 0 ? "" : " rate=" + packetRate)
                + (subnetLocal ? " subnet-local" : "");
    }
}
