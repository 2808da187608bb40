package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * JOIN_IP_MCAST joins a multicast group, in its older form; new programs use JOIN_MCAST.
 *
 * <pre>
 *   struct rdma_ucm_join_ip_mcast
 *      0  u64   response  address of the answer, left to the carrier
 *      8  u64   uid       cookie that comes back in events
 *     16  28 B  addr      address of the group
 *     44  u32   id        the identifier
 *     48  bytes in all
 * </pre>
 */
public final class CmJoinIpMcast {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    /** Where the {@link SockaddrIn6} addr lies in this struct. */
    public static final int ADDR = 16;

    private static final int RESPONSE = 0;
    private static final int UID = 8;
    private static final int ID = 44;

    private CmJoinIpMcast() {}

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

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_join_ip_mcast", SIZE)
                .u64("response", RESPONSE)
                .u64("uid", UID)
                .struct("addr", ADDR, SockaddrIn6.layout())
                .u32("id", ID);
    }
}
