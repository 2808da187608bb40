package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A path in the answer of QUERY for {@link CmIds#QUERY_PATH}.
 *
 * <pre>
 *   struct ib_path_rec_data
 *      0  u32     flags     {@link CmIds#PATH_GMP} and others
 *      4  u8[4]   reserved  0
 *      8  u8[64]  path_rec  a {@link PathRecord}
 *     72  bytes in all
 * </pre>
 */
public final class CmPathRecordData {
    /** Bytes of the struct. */
    public static final int SIZE = 72;

    /** Where the field path_rec lies in this struct: a {@link PathRecord}. */
    public static final int PATH_REC = 8;

    private static final int FLAGS = 0;

    private CmPathRecordData() {}

    /** {@link CmIds#PATH_GMP} and others. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_path_rec_data", SIZE)
                .u32("flags", FLAGS)
                .reserved("reserved", 4, 4)
                .bytes("path_rec", PATH_REC, 64);
    }
}
