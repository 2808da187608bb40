package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * ACCEPT answers a request, or confirms the peer's answer when the parameters are not valid.
 *
 * <pre>
 *   struct rdma_ucm_accept
 *      0  u64    uid         cookie that comes back in events from now on
 *      8  272 B  conn_param  own wishes; valid 0 on the side that connected
 *    280  u32    id          the identifier
 *    284  u8[4]  reserved    0
 *    288  8 B    ece         vendor options
 *    296  bytes in all
 * </pre>
 */
public final class CmAccept {
    /** Bytes of the struct. */
    public static final int SIZE = 296;

    /** Where the {@link CmConnectionParameters} conn_param lies in this struct. */
    public static final int CONN_PARAM = 8;

    /** Where the {@link CmEce} ece lies in this struct. */
    public static final int ECE = 288;

    private static final int UID = 0;
    private static final int ID = 280;

    private CmAccept() {}

    /** Cookie that comes back in events from now on. */
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
        return Layout.of("rdma_ucm_accept", SIZE)
                .u64("uid", UID)
                .struct("conn_param", CONN_PARAM, CmConnectionParameters.layout())
                .u32("id", ID)
                .reserved("reserved", 284, 4)
                .struct("ece", ECE, CmEce.layout());
    }
}
