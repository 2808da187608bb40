package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * An address vector in CREATE_AH.
 *
 * <pre>
 *   struct ib_uverbs_ah_attr
 *      0  be128  grh.dgid           GID of the peer
 *     16  u32    grh.flow_label     flow label, 20 bits
 *     20  u8     grh.sgid_index     own GID, a slot of the port's table
 *     21  u8     grh.hop_limit      hop limit
 *     22  u8     grh.traffic_class  traffic class
 *     23  u8     grh.reserved       0
 *     24  u16    dlid               local identifier of the peer; 0 on Ethernet
 *     26  u8     sl                 service level
 *     27  u8     src_path_bits      low bits of the own local identifier
 *     28  u8     static_rate        code of the rate limit, see {@code Rate}
 *     29  u8     is_global          1: the GID fields count
 *     30  u8     port_num           port
 *     31  u8     reserved           0
 *     32  bytes in all
 * </pre>
 */
public final class AhAttributes {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    private static final int DGID = 0;
    private static final int FLOW_LABEL = 16;
    private static final int SGID_INDEX = 20;
    private static final int HOP_LIMIT = 21;
    private static final int TRAFFIC_CLASS = 22;
    private static final int DLID = 24;
    private static final int SL = 26;
    private static final int SRC_PATH_BITS = 27;
    private static final int STATIC_RATE = 28;
    private static final int IS_GLOBAL = 29;
    private static final int PORT_NUM = 30;

    private AhAttributes() {}

    /** GID of the peer. */
    public static Gid dgid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + DGID), Be.getLong(segment, at + DGID + 8));
    }

    /** Stores {@link #dgid}. */
    public static void setDgid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + DGID, value.high());
        Be.setLong(segment, at + DGID + 8, value.low());
    }

    /** Flow label, 20 bits. */
    public static int flowLabel(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLOW_LABEL);
    }

    /** Stores {@link #flowLabel}. */
    public static void setFlowLabel(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLOW_LABEL, value);
    }

    /** Own GID, a slot of the port's table. */
    public static int sgidIndex(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SGID_INDEX);
    }

    /** Stores {@link #sgidIndex}. */
    public static void setSgidIndex(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SGID_INDEX, value);
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

    /** Local identifier of the peer; 0 on Ethernet. */
    public static int dlid(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + DLID);
    }

    /** Stores {@link #dlid}. */
    public static void setDlid(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + DLID, value);
    }

    /** Service level. */
    public static int sl(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SL);
    }

    /** Stores {@link #sl}. */
    public static void setSl(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SL, value);
    }

    /** Low bits of the own local identifier. */
    public static int srcPathBits(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SRC_PATH_BITS);
    }

    /** Stores {@link #srcPathBits}. */
    public static void setSrcPathBits(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SRC_PATH_BITS, value);
    }

    /** Code of the rate limit, see {@code Rate}. */
    public static int staticRate(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + STATIC_RATE);
    }

    /** Stores {@link #staticRate}. */
    public static void setStaticRate(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + STATIC_RATE, value);
    }

    /** 1: the GID fields count. */
    public static int isGlobal(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + IS_GLOBAL);
    }

    /** Stores {@link #isGlobal}. */
    public static void setIsGlobal(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + IS_GLOBAL, value);
    }

    /** Port. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ah_attr", SIZE)
                .gid("grh.dgid", DGID)
                .u32("grh.flow_label", FLOW_LABEL)
                .u8("grh.sgid_index", SGID_INDEX)
                .u8("grh.hop_limit", HOP_LIMIT)
                .u8("grh.traffic_class", TRAFFIC_CLASS)
                .reserved("grh.reserved", 23, 1)
                .u16("dlid", DLID)
                .u8("sl", SL)
                .u8("src_path_bits", SRC_PATH_BITS)
                .u8("static_rate", STATIC_RATE)
                .u8("is_global", IS_GLOBAL)
                .u8("port_num", PORT_NUM)
                .reserved("reserved", 31, 1);
    }
}
