package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A path, in the form in which subnet administration tells it: inside {@link CmPathRecordData}.
 *
 * <pre>
 *      0  be64   service id          service identifier
 *      8  be128  dgid                GID of the peer
 *     24  be128  sgid                own GID
 *     40  be16   dlid                local identifier of the peer
 *     42  be16   slid                own local identifier
 *     44  be32   flow label, hops    20 bits from bit 8, 8 bits
 *     48  u8     traffic class       traffic class
 *     49  u8     reversible, paths   bit 7: both ways; 7 bits
 *     50  be16   pkey                P_Key
 *     52  be16   class, sl           4 low bits: service level
 *     54  u8     mtu                 2 bits selector (2: exactly), 6 bits code
 *     55  u8     rate                2 bits selector, 6 bits code
 *     56  u8     packet life time    2 bits selector, 6 bits code
 *     57  u8     preference          preference
 *     58  u8[6]  reserved            0
 *     64  bytes in all
 * </pre>
 */
public final class PathRecord {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    private static final int DGID = 8;
    private static final int SGID = 24;
    private static final int FLOW_AND_HOPS = 44;
    private static final int TRAFFIC_CLASS = 48;
    private static final int REVERSIBLE = 49;
    private static final int PKEY = 50;
    private static final int SERVICE_LEVEL = 52;
    private static final int MTU = 54;
    private static final int RATE = 55;
    private static final int LIFE_TIME = 56;
    private static final int EXACTLY = 2 << 6;
    private static final int CODE = 63;

    private PathRecord() {}

    /** GID of the peer. */
    public static Gid dgid(MemorySegment segment, long at) {
        return gid(segment, at + DGID);
    }

    /** Own GID. */
    public static Gid sgid(MemorySegment segment, long at) {
        return gid(segment, at + SGID);
    }

    /** Stores both GIDs. */
    public static void setGids(MemorySegment segment, long at, Gid destination, Gid source) {
        Be.setLong(segment, at + DGID, destination.high());
        Be.setLong(segment, at + DGID + 8, destination.low());
        Be.setLong(segment, at + SGID, source.high());
        Be.setLong(segment, at + SGID + 8, source.low());
    }

    /** Hop limit. */
    public static int hopLimit(MemorySegment segment, long at) {
        return Be.getInt(segment, at + FLOW_AND_HOPS) & 0xff;
    }

    /** Traffic class. */
    public static int trafficClass(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + TRAFFIC_CLASS);
    }

    /** Stores what a global route header needs besides GIDs. */
    public static void setRoute(MemorySegment segment, long at, int flowLabel, int hopLimit, int trafficClass) {
        Be.setInt(segment, at + FLOW_AND_HOPS, flowLabel << 8 | hopLimit & 0xff);
        Be.setByte(segment, at + TRAFFIC_CLASS, trafficClass);
    }

    /** P_Key. */
    public static int pkey(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + PKEY);
    }

    /** Code of the path MTU. */
    public static int mtu(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + MTU) & CODE;
    }

    /** Code of the rate. */
    public static int rate(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + RATE) & CODE;
    }

    /** Code of the packet life time. */
    public static int packetLifeTime(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + LIFE_TIME) & CODE;
    }

    /** Stores the qualities of one reversible path, each as an exact code. */
    public static void setQualities(
            MemorySegment segment, long at, int pkey, int serviceLevel, int mtu, int rate, int packetLifeTime) {
        Be.setByte(segment, at + REVERSIBLE, 0x80 | 1);
        Be.setShort(segment, at + PKEY, pkey);
        Be.setShort(segment, at + SERVICE_LEVEL, serviceLevel & 0xf);
        Be.setByte(segment, at + MTU, EXACTLY | mtu);
        Be.setByte(segment, at + RATE, EXACTLY | rate);
        Be.setByte(segment, at + LIFE_TIME, EXACTLY | packetLifeTime);
    }

    private static Gid gid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at), Be.getLong(segment, at + 8));
    }
}
