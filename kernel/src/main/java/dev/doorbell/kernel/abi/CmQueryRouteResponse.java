package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY_ROUTE.
 *
 * <pre>
 *   struct rdma_ucm_query_route_resp
 *      0  be64     node_guid    GUID of the device; 0 while there is none
 *      8  u8[128]  ib_route     two {@link CmUserPathRecord}, of which num_paths count
 *    136  28 B     src_addr     own address
 *    164  28 B     dst_addr     address of the peer
 *    192  u32      num_paths    paths that are known
 *    196  u8       port_num     port of the device
 *    197  u8[3]    reserved     0
 *    200  u32      ibdev_index  index of the device
 *    204  u8[4]    reserved1    0
 *    208  bytes in all
 * </pre>
 */
public final class CmQueryRouteResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    /** Where the field ib_route lies in this struct: two {@link CmUserPathRecord}, of which num_paths count. */
    public static final int IB_ROUTE = 8;

    /** Where the {@link SockaddrIn6} src_addr lies in this struct. */
    public static final int SRC_ADDR = 136;

    /** Where the {@link SockaddrIn6} dst_addr lies in this struct. */
    public static final int DST_ADDR = 164;

    private static final int NODE_GUID = 0;
    private static final int NUM_PATHS = 192;
    private static final int PORT_NUM = 196;
    private static final int IBDEV_INDEX = 200;

    private CmQueryRouteResponse() {}

    /** GUID of the device; 0 while there is none. */
    public static Guid nodeGuid(MemorySegment segment, long at) {
        return new Guid(Be.getLong(segment, at + NODE_GUID));
    }

    /** Stores {@link #nodeGuid}. */
    public static void setNodeGuid(MemorySegment segment, long at, Guid value) {
        Be.setLong(segment, at + NODE_GUID, value.value());
    }

    /** Paths that are known. */
    public static int numPaths(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NUM_PATHS);
    }

    /** Stores {@link #numPaths}. */
    public static void setNumPaths(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NUM_PATHS, value);
    }

    /** Port of the device. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** Index of the device. */
    public static int ibdevIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + IBDEV_INDEX);
    }

    /** Stores {@link #ibdevIndex}. */
    public static void setIbdevIndex(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + IBDEV_INDEX, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_query_route_resp", SIZE)
                .be64("node_guid", NODE_GUID)
                .bytes("ib_route", IB_ROUTE, 128)
                .struct("src_addr", SRC_ADDR, SockaddrIn6.layout())
                .struct("dst_addr", DST_ADDR, SockaddrIn6.layout())
                .u32("num_paths", NUM_PATHS)
                .u8("port_num", PORT_NUM)
                .reserved("reserved", 197, 3)
                .u32("ibdev_index", IBDEV_INDEX)
                .reserved("reserved1", 204, 4);
    }
}
