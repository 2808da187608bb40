package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * QUERY and QUERY_ROUTE read what an identifier knows; QUERY_ROUTE ignores the option.
 *
 * <pre>
 *   struct rdma_ucm_query
 *      0  u64  response  address of the answer, left to the carrier
 *      8  u32  id        the identifier
 *     12  u32  option    {@link CmIds#QUERY_ADDR}, {@link CmIds#QUERY_PATH} or {@link CmIds#QUERY_GID}
 *     16  bytes in all
 * </pre>
 */
public final class CmQuery {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int ID = 8;
    private static final int OPTION = 12;

    private CmQuery() {}

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

    /** {@link CmIds#QUERY_ADDR}, {@link CmIds#QUERY_PATH} or {@link CmIds#QUERY_GID}. */
    public static int option(MemorySegment segment, long at) {
        return Host.getInt(segment, at + OPTION);
    }

    /** Stores {@link #option}. */
    public static void setOption(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + OPTION, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_query", SIZE)
                .u64("response", RESPONSE)
                .u32("id", ID)
                .u32("option", OPTION);
    }
}
