package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * An event, as the event file delivers it.
 *
 * <pre>
 *   struct rdma_ucm_event_resp
 *      0  u64    uid         cookie: of the identifier; of the listener in CONNECT_REQUEST; of the membership in MULTICAST events
 *      8  u32    id          the identifier; a new one in CONNECT_REQUEST; the membership in MULTICAST events
 *     12  u32    event       code of a {@link dev.doorbell.spec.CmEventType}
 *     16  s32    status      0, a negative errno, or the code of a {@code RejectReason} in REJECTED
 *     20  272 B  param.conn  parameters of the peer; or
 *     20  304 B  param.ud    where datagrams go
 *    324  u8[4]  reserved    0
 *    328  8 B    ece         vendor options of the peer
 *    336  bytes in all
 * </pre>
 */
public final class CmEventRecord {
    /** Bytes of the struct. */
    public static final int SIZE = 336;

    /** Where the {@link CmConnectionParameters} param.conn lies in this struct. */
    public static final int PARAM_CONN = 20;

    /** Where the {@link CmDatagramParameters} param.ud lies in this struct. */
    public static final int PARAM_UD = 20;

    /** Where the {@link CmEce} ece lies in this struct. */
    public static final int ECE = 328;

    private static final int UID = 0;
    private static final int ID = 8;
    private static final int EVENT = 12;
    private static final int STATUS = 16;

    private CmEventRecord() {}

    /** Cookie: of the identifier; of the listener in CONNECT_REQUEST; of the membership in MULTICAST events. */
    public static long uid(MemorySegment segment, long at) {
        return Host.getLong(segment, at + UID);
    }

    /** Stores {@link #uid}. */
    public static void setUid(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + UID, value);
    }

    /** The identifier; a new one in CONNECT_REQUEST; the membership in MULTICAST events. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Code of a {@link dev.doorbell.spec.CmEventType}. */
    public static int event(MemorySegment segment, long at) {
        return Host.getInt(segment, at + EVENT);
    }

    /** Stores {@link #event}. */
    public static void setEvent(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + EVENT, value);
    }

    /** 0, a negative errno, or the code of a {@code RejectReason} in REJECTED. */
    public static int status(MemorySegment segment, long at) {
        return Host.getInt(segment, at + STATUS);
    }

    /** Stores {@link #status}. */
    public static void setStatus(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + STATUS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_event_resp", SIZE)
                .u64("uid", UID)
                .u32("id", ID)
                .u32("event", EVENT)
                .s32("status", STATUS)
                .struct("param.conn", PARAM_CONN, CmConnectionParameters.layout())
                .struct("param.ud", PARAM_UD, CmDatagramParameters.layout())
                .reserved("reserved", 324, 4)
                .struct("ece", ECE, CmEce.layout());
    }
}
