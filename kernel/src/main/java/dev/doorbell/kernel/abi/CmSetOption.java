package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * SET_OPTION and GET_OPTION; the bytes of the value follow the struct in the request.
 *
 * <pre>
 *   struct rdma_ucm_set_option
 *      0  u64  optval   address of the value, left to the carrier
 *      8  u32  id       the identifier
 *     12  u32  level    {@link CmIds#LEVEL_ID} or {@link CmIds#LEVEL_IB}
 *     16  u32  optname  {@link CmIds#OPTION_TOS} and others
 *     20  u32  optlen   bytes of the value
 *     24  bytes in all
 * </pre>
 */
public final class CmSetOption {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    private static final int OPTVAL = 0;
    private static final int ID = 8;
    private static final int LEVEL = 12;
    private static final int OPTNAME = 16;
    private static final int OPTLEN = 20;

    private CmSetOption() {}

    /** Address of the value, left to the carrier. */
    public static long optval(MemorySegment segment, long at) {
        return Host.getLong(segment, at + OPTVAL);
    }

    /** Stores {@link #optval}. */
    public static void setOptval(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + OPTVAL, value);
    }

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** {@link CmIds#LEVEL_ID} or {@link CmIds#LEVEL_IB}. */
    public static int level(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LEVEL);
    }

    /** Stores {@link #level}. */
    public static void setLevel(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LEVEL, value);
    }

    /** {@link CmIds#OPTION_TOS} and others. */
    public static int optname(MemorySegment segment, long at) {
        return Host.getInt(segment, at + OPTNAME);
    }

    /** Stores {@link #optname}. */
    public static void setOptname(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + OPTNAME, value);
    }

    /** Bytes of the value. */
    public static int optlen(MemorySegment segment, long at) {
        return Host.getInt(segment, at + OPTLEN);
    }

    /** Stores {@link #optlen}. */
    public static void setOptlen(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + OPTLEN, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_set_option", SIZE)
                .u64("optval", OPTVAL)
                .u32("id", ID)
                .u32("level", LEVEL)
                .u32("optname", OPTNAME)
                .u32("optlen", OPTLEN);
    }
}
