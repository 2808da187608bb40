package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * Where a datagram goes: the address vector, with the queue key and number of the peer.
 *
 * <pre>
 *   struct mlx5_wqe_datagram_seg
 *      0  be32   av.key.qkey.qkey      Q_Key
 *      4  be32   av.key.qkey.reserved  0
 *      8  be32   av.dqp_dct            bit 31: the address is extended (all 48 bytes); queue pair number 23..0
 *     12  u8     av.stat_rate_sl       rate 7..4, service level 3..0
 *     13  u8     av.fl_mlid            force loopback 7, source path bits 6..0
 *     14  be16   av.rlid               destination LID, or with RoCE v2 the UDP source port
 *     16  4 B    av.reserved0
 *     20  6 B    av.rmac               the six bytes of the destination MAC address
 *     26  u8     av.tclass             traffic class
 *     27  u8     av.hop_limit          hop limit
 *     28  be32   av.grh_gid_fl         bit 30: global; source GID index 27..20, flow label 19..0
 *     32  16 B   av.rgid               the 16 bytes of the destination GID
 *     48  bytes in all
 * </pre>
 */
public final class DatagramSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    /** In {@link #destination}: all 48 bytes are valid. */
    public static final int EXTENDED = 0x8000_0000;
    /** In {@link #gidAndFlow}: the address is global. */
    public static final int GLOBAL = 1 << 30;

    /** Where the six bytes of the destination MAC address lie. */
    public static final int MAC = 20;

    /** Where the 16 bytes of the destination GID lie. */
    public static final int GID = 32;

    private static final int QKEY = 0;
    private static final int RESERVED = 4;
    private static final int DESTINATION = 8;
    private static final int RATE_AND_SERVICE_LEVEL = 12;
    private static final int SOURCE_PATH = 13;
    private static final int LID_OR_PORT = 14;
    private static final int TRAFFIC_CLASS = 26;
    private static final int HOP_LIMIT = 27;
    private static final int GID_AND_FLOW = 28;

    private DatagramSegment() {}

    /** Q_Key. */
    public static int qkey(MemorySegment segment, long at) {
        return Be.getInt(segment, at + QKEY);
    }

    /** Stores {@link #qkey}. */
    public static void setQkey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + QKEY, value);
    }

    /** 0. */
    public static int reserved(MemorySegment segment, long at) {
        return Be.getInt(segment, at + RESERVED);
    }

    /** Stores {@link #reserved}. */
    public static void setReserved(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + RESERVED, value);
    }

    /** Bit 31: the address is extended (all 48 bytes); queue pair number 23..0. */
    public static int destination(MemorySegment segment, long at) {
        return Be.getInt(segment, at + DESTINATION);
    }

    /** Stores {@link #destination}. */
    public static void setDestination(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + DESTINATION, value);
    }

    /** Rate 7..4, service level 3..0. */
    public static int rateAndServiceLevel(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + RATE_AND_SERVICE_LEVEL);
    }

    /** Stores {@link #rateAndServiceLevel}. */
    public static void setRateAndServiceLevel(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + RATE_AND_SERVICE_LEVEL, value);
    }

    /** Force loopback 7, source path bits 6..0. */
    public static int sourcePath(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SOURCE_PATH);
    }

    /** Stores {@link #sourcePath}. */
    public static void setSourcePath(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SOURCE_PATH, value);
    }

    /** Destination LID, or with RoCE v2 the UDP source port. */
    public static int lidOrPort(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + LID_OR_PORT);
    }

    /** Stores {@link #lidOrPort}. */
    public static void setLidOrPort(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + LID_OR_PORT, value);
    }

    /** Traffic class. */
    public static int trafficClass(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + TRAFFIC_CLASS);
    }

    /** Stores {@link #trafficClass}. */
    public static void setTrafficClass(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + TRAFFIC_CLASS, value);
    }

    /** Hop limit. */
    public static int hopLimit(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + HOP_LIMIT);
    }

    /** Stores {@link #hopLimit}. */
    public static void setHopLimit(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + HOP_LIMIT, value);
    }

    /** Bit 30: global; source GID index 27..20, flow label 19..0. */
    public static int gidAndFlow(MemorySegment segment, long at) {
        return Be.getInt(segment, at + GID_AND_FLOW);
    }

    /** Stores {@link #gidAndFlow}. */
    public static void setGidAndFlow(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + GID_AND_FLOW, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_datagram_seg", SIZE)
                .be32("av.key.qkey.qkey", QKEY)
                .be32("av.key.qkey.reserved", RESERVED)
                .be32("av.dqp_dct", DESTINATION)
                .u8("av.stat_rate_sl", RATE_AND_SERVICE_LEVEL)
                .u8("av.fl_mlid", SOURCE_PATH)
                .be16("av.rlid", LID_OR_PORT)
                .reserved("av.reserved0", 16, 4)
                .bytes("av.rmac", MAC, 6)
                .u8("av.tclass", TRAFFIC_CLASS)
                .u8("av.hop_limit", HOP_LIMIT)
                .be32("av.grh_gid_fl", GID_AND_FLOW)
                .bytes("av.rgid", GID, 16);
    }
}
