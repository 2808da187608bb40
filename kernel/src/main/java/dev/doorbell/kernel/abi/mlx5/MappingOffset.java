package dev.doorbell.kernel.abi.mlx5;

/**
 * Offsets by which a program maps what the device offers without an ioctl object: a command in the bits above 8, and an index, in pages.
 */
public final class MappingOffset {
    /** Register pages, non-cached or write-combining as the system likes. */
    public static final int REGULAR = 0;

    /** Register pages, write-combining. */
    public static final int WRITE_COMBINING = 2;

    /** Register pages, non-cached. */
    public static final int NON_CACHED = 3;

    /** The page in which the device's clock lies. */
    public static final int CLOCK = 5;

    /** A new dynamic register page; its index in two parts. */
    public static final int ALLOCATE_WRITE_COMBINING = 6;

    /** {@link Mlx5ClockInfo}. */
    public static final int CLOCK_INFO = 7;

    private MappingOffset() {}

    /** The offset of a command and an index, in bytes. */
    public static long of(int command, int index, long pageSize) {
        return ((long) (index >>> 8) << 16 | (long) command << 8 | index & 0xff) * pageSize;
    }

    /** The command of an offset. */
    public static int command(long offset, long pageSize) {
        return (int) (offset / pageSize >>> 8 & 0xff);
    }

    /** The index of an offset. */
    public static int index(long offset, long pageSize) {
        long pages = offset / pageSize;
        return (int) ((pages >>> 16) << 8 | pages & 0xff);
    }
}
