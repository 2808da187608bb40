package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * JOIN_MCAST joins a multicast group; MULTICAST_JOIN or MULTICAST_ERROR follow.
 *
 * <pre>
 *   struct rdma_ucm_join_mcast
 *      0  u64      response    address of the answer, left to the carrier
 *      8  u64      uid         cookie that comes back in events
 *     16  u32      id          the identifier
 *     20  u16      addr_size   bytes of the address
 *     22  u16      join_flags  {@link CmIds#JOIN_FULL_MEMBER} or {@link CmIds#JOIN_SEND_ONLY}
 *     24  u8[128]  addr        address of the group
 *    152  bytes in all
 * </pre>
 */
public final class CmJoinMcast {
    /** Bytes of the struct. */
    public static final int SIZE = 152;

    /** Where the field addr lies in this struct: address of the group. */
    public static final int ADDR = 24;

    private static final int RESPONSE = 0;
    private static final int UID = 8;
    private static final int ID = 16;
    private static final int ADDR_SIZE = 20;
    private static final int JOIN_FLAGS = 22;

    private CmJoinMcast() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Cookie that comes back in events. */
    public static long uid(MemorySegment segment, long at) {
        return Host.getLong(segment, at + UID);
    }

    /** Stores {@link #uid}. */
    public static void setUid(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + UID, value);
    }

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Bytes of the address. */
    public static int addrSize(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + ADDR_SIZE);
    }

    /** Stores {@link #addrSize}. */
    public static void setAddrSize(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + ADDR_SIZE, value);
    }

    /** {@link CmIds#JOIN_FULL_MEMBER} or {@link CmIds#JOIN_SEND_ONLY}. */
    public static int joinFlags(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + JOIN_FLAGS);
    }

    /** Stores {@link #joinFlags}. */
    public static void setJoinFlags(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + JOIN_FLAGS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_join_mcast", SIZE)
                .u64("response", RESPONSE)
                .u64("uid", UID)
                .u32("id", ID)
                .u16("addr_size", ADDR_SIZE)
                .u16("join_flags", JOIN_FLAGS)
                .bytes("addr", ADDR, 128);
    }
}
