package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * MIGRATE_ID brings an identifier to the channel to which this command is sent.
 *
 * <pre>
 *   struct rdma_ucm_migrate_id
 *      0  u64  response  address of the answer, left to the carrier
 *      8  u32  id        the identifier
 *     12  u32  fd        descriptor of the channel that it comes from
 *     16  bytes in all
 * </pre>
 */
public final class CmMigrateId {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int ID = 8;
    private static final int FD = 12;

    private CmMigrateId() {}

    /** Address of the answer, left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** Descriptor of the channel that it comes from. */
    public static int fd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FD);
    }

    /** Stores {@link #fd}. */
    public static void setFd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FD, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_migrate_id", SIZE)
                .u64("response", RESPONSE)
                .u32("id", ID)
                .u32("fd", FD);
    }
}
