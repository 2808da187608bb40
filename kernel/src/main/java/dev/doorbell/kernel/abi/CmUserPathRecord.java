package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A path in the answer of QUERY_ROUTE.
 *
 * <pre>
 *   struct ib_user_path_rec
 *      0  be128  dgid                       GID of the peer
 *     16  be128  sgid                       own GID
 *     32  be16   dlid                       local identifier of the peer
 *     34  be16   slid                       own local identifier
 *     36  u32    raw_traffic                1: raw traffic
 *     40  be32   flow_label                 flow label
 *     44  u32    reversible                 1: the path works both ways
 *     48  u32    mtu                        code of the path MTU
 *     52  be16   pkey                       P_Key
 *     54  u8     hop_limit                  hop limit
 *     55  u8     traffic_class              traffic class
 *     56  u8     numb_path                  number of paths
 *     57  u8     sl                         service level
 *     58  u8     mtu_selector               how the MTU is meant
 *     59  u8     rate_selector              how the rate is meant
 *     60  u8     rate                       code of the rate
 *     61  u8     packet_life_time_selector  how the packet life time is meant
 *     62  u8     packet_life_time           code of the packet life time
 *     63  u8     preference                 preference
 *     64  bytes in all
 * </pre>
 */
public final class CmUserPathRecord {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    private static final int DGID = 0;
    private static final int SGID = 16;
    private static final int DLID = 32;
    private static final int SLID = 34;
    private static final int RAW_TRAFFIC = 36;
    private static final int FLOW_LABEL = 40;
    private static final int REVERSIBLE = 44;
    private static final int MTU = 48;
    private static final int PKEY = 52;
    private static final int HOP_LIMIT = 54;
    private static final int TRAFFIC_CLASS = 55;
    private static final int NUMB_PATH = 56;
    private static final int SL = 57;
    private static final int MTU_SELECTOR = 58;
    private static final int RATE_SELECTOR = 59;
    private static final int RATE = 60;
    private static final int PACKET_LIFE_TIME_SELECTOR = 61;
    private static final int PACKET_LIFE_TIME = 62;
    private static final int PREFERENCE = 63;

    private CmUserPathRecord() {}

    /** GID of the peer. */
    public static Gid dgid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + DGID), Be.getLong(segment, at + DGID + 8));
    }

    /** Stores {@link #dgid}. */
    public static void setDgid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + DGID, value.high());
        Be.setLong(segment, at + DGID + 8, value.low());
    }

    /** Own GID. */
    public static Gid sgid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + SGID), Be.getLong(segment, at + SGID + 8));
    }

    /** Stores {@link #sgid}. */
    public static void setSgid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + SGID, value.high());
        Be.setLong(segment, at + SGID + 8, value.low());
    }

    /** Local identifier of the peer. */
    public static int dlid(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + DLID);
    }

    /** Stores {@link #dlid}. */
    public static void setDlid(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + DLID, value);
    }

    /** Own local identifier. */
    public static int slid(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + SLID);
    }

    /** Stores {@link #slid}. */
    public static void setSlid(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + SLID, value);
    }

    /** 1: raw traffic. */
    public static int rawTraffic(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RAW_TRAFFIC);
    }

    /** Stores {@link #rawTraffic}. */
    public static void setRawTraffic(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RAW_TRAFFIC, value);
    }

    /** Flow label. */
    public static int flowLabel(MemorySegment segment, long at) {
        return Be.getInt(segment, at + FLOW_LABEL);
    }

    /** Stores {@link #flowLabel}. */
    public static void setFlowLabel(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + FLOW_LABEL, value);
    }

    /** 1: the path works both ways. */
    public static int reversible(MemorySegment segment, long at) {
        return Host.getInt(segment, at + REVERSIBLE);
    }

    /** Stores {@link #reversible}. */
    public static void setReversible(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + REVERSIBLE, value);
    }

    /** Code of the path MTU. */
    public static int mtu(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MTU);
    }

    /** Stores {@link #mtu}. */
    public static void setMtu(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MTU, value);
    }

    /** P_Key. */
    public static int pkey(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + PKEY);
    }

    /** Stores {@link #pkey}. */
    public static void setPkey(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + PKEY, value);
    }

    /** Hop limit. */
    public static int hopLimit(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + HOP_LIMIT);
    }

    /** Stores {@link #hopLimit}. */
    public static void setHopLimit(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + HOP_LIMIT, value);
    }

    /** Traffic class. */
    public static int trafficClass(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + TRAFFIC_CLASS);
    }

    /** Stores {@link #trafficClass}. */
    public static void setTrafficClass(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + TRAFFIC_CLASS, value);
    }

    /** Number of paths. */
    public static int numbPath(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + NUMB_PATH);
    }

    /** Stores {@link #numbPath}. */
    public static void setNumbPath(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + NUMB_PATH, value);
    }

    /** Service level. */
    public static int sl(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SL);
    }

    /** Stores {@link #sl}. */
    public static void setSl(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SL, value);
    }

    /** How the MTU is meant. */
    public static int mtuSelector(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MTU_SELECTOR);
    }

    /** Stores {@link #mtuSelector}. */
    public static void setMtuSelector(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MTU_SELECTOR, value);
    }

    /** How the rate is meant. */
    public static int rateSelector(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RATE_SELECTOR);
    }

    /** Stores {@link #rateSelector}. */
    public static void setRateSelector(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RATE_SELECTOR, value);
    }

    /** Code of the rate. */
    public static int rate(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + RATE);
    }

    /** Stores {@link #rate}. */
    public static void setRate(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + RATE, value);
    }

    /** How the packet life time is meant. */
    public static int packetLifeTimeSelector(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PACKET_LIFE_TIME_SELECTOR);
    }

    /** Stores {@link #packetLifeTimeSelector}. */
    public static void setPacketLifeTimeSelector(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PACKET_LIFE_TIME_SELECTOR, value);
    }

    /** Code of the packet life time. */
    public static int packetLifeTime(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PACKET_LIFE_TIME);
    }

    /** Stores {@link #packetLifeTime}. */
    public static void setPacketLifeTime(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PACKET_LIFE_TIME, value);
    }

    /** Preference. */
    public static int preference(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PREFERENCE);
    }

    /** Stores {@link #preference}. */
    public static void setPreference(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PREFERENCE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_user_path_rec", SIZE)
                .gid("dgid", DGID)
                .gid("sgid", SGID)
                .be16("dlid", DLID)
                .be16("slid", SLID)
                .u32("raw_traffic", RAW_TRAFFIC)
                .be32("flow_label", FLOW_LABEL)
                .u32("reversible", REVERSIBLE)
                .u32("mtu", MTU)
                .be16("pkey", PKEY)
                .u8("hop_limit", HOP_LIMIT)
                .u8("traffic_class", TRAFFIC_CLASS)
                .u8("numb_path", NUMB_PATH)
                .u8("sl", SL)
                .u8("mtu_selector", MTU_SELECTOR)
                .u8("rate_selector", RATE_SELECTOR)
                .u8("rate", RATE)
                .u8("packet_life_time_selector", PACKET_LIFE_TIME_SELECTOR)
                .u8("packet_life_time", PACKET_LIFE_TIME)
                .u8("preference", PREFERENCE);
    }
}
