package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * What the embedded kernel has beyond Linux' rxe: the device's clock, and timestamps of completions. Nobody meets it who
 * does not ask. A driver asks for the clock with driver data in the answer of EX_QUERY_DEVICE, which rxe refuses (EINVAL);
 * for timestamps with the flag of EX_CREATE_CQ, which rxe refuses (EOPNOTSUPP).
 *
 * <pre>
 *   driver data in the answer of EX_QUERY_DEVICE
 *      0  u32  version   1; a kernel that writes nothing here has no clock
 *      4  u32  reserved  0
 *      8  u64  ticks     the clock at that moment
 *     16  bytes in all
 *
 *   element of a completion ring, behind its {@link RxeCqe}
 *     48  u64  ticks     the clock when the completion was made
 * </pre>
 */
public final class DoorbellClock {
    /** Bytes of the driver data. */
    public static final int SIZE = 16;

    /** The version that the kernel writes. */
    public static final int VERSION = 1;

    /** The clock's speed in kHz: ticks are nanoseconds. */
    public static final long KILOHERTZ = 1_000_000;

    /** The valid bits of its ticks. */
    public static final long MASK = -1;

    private static final int VERSION_AT = 0;
    private static final int TICKS = 8;
    private static final int STAMP = RxeCqe.SIZE;

    private DoorbellClock() {}

    /** {@value #VERSION}, or 0 where the kernel has no clock. */
    public static int version(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VERSION_AT);
    }

    /** Stores {@link #version}. */
    public static void setVersion(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VERSION_AT, value);
    }

    /** The clock at that moment. */
    public static long ticks(MemorySegment segment, long at) {
        return Host.getLong(segment, at + TICKS);
    }

    /** Stores {@link #ticks}. */
    public static void setTicks(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + TICKS, value);
    }

    /** The timestamp of the completion in a ring element. */
    public static long stamp(MemorySegment ring, long at) {
        return Host.getLong(ring, at + STAMP);
    }

    /** Stores {@link #stamp}. */
    public static void setStamp(MemorySegment ring, long at, long value) {
        Host.setLong(ring, at + STAMP, value);
    }
}
