package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The request of ATTACH_MCAST: makes a UD queue pair a member of a group; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_attach_mcast
 *      0  be128  gid        GID of the group
 *     16  u32    qp_handle  queue pair
 *     20  u16    mlid       local identifier of the group; 0 on Ethernet
 *     22  u16    reserved   0
 *     24  bytes in all
 * </pre>
 */
public final class AttachMcast {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    private static final int GID = 0;
    private static final int QP_HANDLE = 16;
    private static final int MLID = 20;

    private AttachMcast() {}

    /** GID of the group. */
    public static Gid gid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + GID), Be.getLong(segment, at + GID + 8));
    }

    /** Stores {@link #gid}. */
    public static void setGid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at + GID, value.high());
        Be.setLong(segment, at + GID + 8, value.low());
    }

    /** Queue pair. */
    public static int qpHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_HANDLE);
    }

    /** Stores {@link #qpHandle}. */
    public static void setQpHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_HANDLE, value);
    }

    /** Local identifier of the group; 0 on Ethernet. */
    public static int mlid(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MLID);
    }

    /** Stores {@link #mlid}. */
    public static void setMlid(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MLID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_attach_mcast", SIZE)
                .gid("gid", GID)
                .u32("qp_handle", QP_HANDLE)
                .u16("mlid", MLID)
                .reserved("reserved", 22, 2);
    }
}
