package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * An address vector in a work request, for kernels before 5.17.
 *
 * <pre>
 *   struct rxe_av
 *      0  u8     port_num           port
 *      1  u8     network_type       1 IPv4, 2 IPv6
 *      2  u8[6]  dmac               the peer's Ethernet address
 *      8  be128  grh.dgid           GID of the peer
 *     24  u32    grh.flow_label     flow label, 20 bits
 *     28  u8     grh.sgid_index     own GID, a slot of the port's table
 *     29  u8     grh.hop_limit      hop limit
 *     30  u8     grh.traffic_class  traffic class
 *     32  u8[28] sgid_addr          the own socket address
 *     60  u8[28] dgid_addr          the peer's socket address
 *     88  bytes in all
 * </pre>
 */
public final class RxeAv {
    /** Bytes of the struct. */
    public static final int SIZE = 88;

    /** Where the peer's Ethernet address lies in this struct. */
    public static final int DMAC = 2;

    /** Where the own socket address lies in this struct. */
    public static final int SGID_ADDR = 32;

    /** Where the peer's socket address lies in this struct. */
    public static final int DGID_ADDR = 60;

    private static final int PORT_NUM = 0;
    private static final int NETWORK_TYPE = 1;
    private static final int DGID = 8;
    private static final int FLOW_LABEL = 24;
    private static final int SGID_INDEX = 28;
    private static final int HOP_LIMIT = 29;
    private static final int TRAFFIC_CLASS = 30;

    private RxeAv() {}

    /** Port. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** 1 IPv4, 2 IPv6. */
    public static int networkType(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + NETWORK_TYPE);
    }

    /** Stores {@link #networkType}. */
    public static void setNetworkType(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + NETWORK_TYPE, value);
    }

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

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_av", SIZE)
                .u8("port_num", PORT_NUM)
                .u8("network_type", NETWORK_TYPE)
                .bytes("dmac", DMAC, 6)
                .gid("grh.dgid", DGID)
                .u32("grh.flow_label", FLOW_LABEL)
                .u8("grh.sgid_index", SGID_INDEX)
                .u8("grh.hop_limit", HOP_LIMIT)
                .u8("grh.traffic_class", TRAFFIC_CLASS)
                .bytes("sgid_addr", SGID_ADDR, 28)
                .bytes("dgid_addr", DGID_ADDR, 28);
    }
}
