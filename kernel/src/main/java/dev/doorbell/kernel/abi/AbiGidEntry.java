package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * An entry in the answers of the ioctl methods QUERY_GID_TABLE and QUERY_GID_ENTRY.
 *
 * <pre>
 *   struct ib_uverbs_gid_entry
 *      0  be128  gid             the address
 *     16  u32    gid_index       slot of the table
 *     20  u32    port_num        port, from 1
 *     24  u32    gid_type        see {@code GidType}
 *     28  u32    netdev_ifindex  index of the network interface, 0 for none
 *     32  bytes in all
 * </pre>
 */
public final class AbiGidEntry {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    private static final int GID = 0;
    private static final int GID_INDEX = 16;
    private static final int PORT_NUM = 20;
    private static final int GID_TYPE = 24;
    private static final int NETDEV_IFINDEX = 28;

    private AbiGidEntry() {}

    /** The address. */
    public static Gid gid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + GID), Be.getLong(segment, at + GID + 8));
    }

    /** Stores {@link #gid}. */
    public static void setGid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + GID, value.high());
        Be.setLong(segment, at + GID + 8, value.low());
    }

    /** Slot of the table. */
    public static int gidIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + GID_INDEX);
    }

    /** Stores {@link #gidIndex}. */
    public static void setGidIndex(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + GID_INDEX, value);
    }

    /** Port, from 1. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PORT_NUM, value);
    }

    /** See {@code GidType}. */
    public static int gidType(MemorySegment segment, long at) {
        return Host.getInt(segment, at + GID_TYPE);
    }

    /** Stores {@link #gidType}. */
    public static void setGidType(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + GID_TYPE, value);
    }

    /** Index of the network interface, 0 for none. */
    public static int netdevIfindex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NETDEV_IFINDEX);
    }

    /** Stores {@link #netdevIfindex}. */
    public static void setNetdevIfindex(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NETDEV_IFINDEX, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_gid_entry", SIZE)
                .gid("gid", GID)
                .u32("gid_index", GID_INDEX)
                .u32("port_num", PORT_NUM)
                .u32("gid_type", GID_TYPE)
                .u32("netdev_ifindex", NETDEV_IFINDEX);
    }
}
