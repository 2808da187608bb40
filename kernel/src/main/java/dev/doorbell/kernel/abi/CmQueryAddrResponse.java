package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY for {@link CmIds#QUERY_ADDR}, and for {@link CmIds#QUERY_GID} with two {@link SockaddrIb}.
 *
 * <pre>
 *   struct rdma_ucm_query_addr_resp
 *      0  be64     node_guid    GUID of the device; 0 while there is none
 *      8  u8       port_num     port of the device
 *      9  u8       reserved     0
 *     10  be16     pkey         P_Key
 *     12  u16      src_size     bytes of the own address; 0 if it is not known
 *     14  u16      dst_size     bytes of the address of the peer; 0 if it is not known
 *     16  u8[128]  src_addr     own address
 *    144  u8[128]  dst_addr     address of the peer
 *    272  u32      ibdev_index  index of the device
 *    276  u8[4]    reserved1    0
 *    280  bytes in all
 * </pre>
 */
public final class CmQueryAddrResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 280;

    /** Where the field src_addr lies in this struct: own address. */
    public static final int SRC_ADDR = 16;

    /** Where the field dst_addr lies in this struct: address of the peer. */
    public static final int DST_ADDR = 144;

    private static final int NODE_GUID = 0;
    private static final int PORT_NUM = 8;
    private static final int PKEY = 10;
    private static final int SRC_SIZE = 12;
    private static final int DST_SIZE = 14;
    private static final int IBDEV_INDEX = 272;

    private CmQueryAddrResponse() {}

    /** GUID of the device; 0 while there is none. */
    public static Guid nodeGuid(MemorySegment segment, long at) {
        return new Guid(Be.getLong(segment, at + NODE_GUID));
    }

    /** Stores {@link #nodeGuid}. */
    public static void setNodeGuid(MemorySegment segment, long at, Guid value) {
        Be.setLong(segment, at + NODE_GUID, value.value());
    }

    /** Port of the device. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** P_Key. */
    public static int pkey(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + PKEY);
    }

    /** Stores {@link #pkey}. */
    public static void setPkey(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + PKEY, value);
    }

    /** Bytes of the own address; 0 if it is not known. */
    public static int srcSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SRC_SIZE);
    }

    /** Stores {@link #srcSize}. */
    public static void setSrcSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SRC_SIZE, value);
    }

    /** Bytes of the address of the peer; 0 if it is not known. */
    public static int dstSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + DST_SIZE);
    }

    /** Stores {@link #dstSize}. */
    public static void setDstSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + DST_SIZE, value);
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
        return Layout.of("rdma_ucm_query_addr_resp", SIZE)
                .be64("node_guid", NODE_GUID)
                .u8("port_num", PORT_NUM)
                .reserved("reserved", 9, 1)
                .be16("pkey", PKEY)
                .u16("src_size", SRC_SIZE)
                .u16("dst_size", DST_SIZE)
                .bytes("src_addr", SRC_ADDR, 128)
                .bytes("dst_addr", DST_ADDR, 128)
                .u32("ibdev_index", IBDEV_INDEX)
                .reserved("reserved1", 276, 4);
    }
}
