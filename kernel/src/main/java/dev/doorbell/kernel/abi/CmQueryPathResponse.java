package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY for {@link CmIds#QUERY_PATH}: this, then that many {@link CmPathRecordData} as room was left for.
 *
 * <pre>
 *   struct rdma_ucm_query_path_resp
 *      0  u32    num_paths  paths that are known
 *      4  u8[4]  reserved   0
 *      8  bytes in all
 * </pre>
 */
public final class CmQueryPathResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int NUM_PATHS = 0;

    private CmQueryPathResponse() {}

    /** Paths that are known. */
    public static int numPaths(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NUM_PATHS);
    }

    /** Stores {@link #numPaths}. */
    public static void setNumPaths(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NUM_PATHS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_query_path_resp", SIZE)
                .u32("num_paths", NUM_PATHS)
                .reserved("reserved", 4, 4);
    }
}
