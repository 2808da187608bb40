package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The page from which a program computes wall-clock time from the device's clock. The kernel changes {@link #sign} before and after it writes.
 *
 * <pre>
 *   struct mlx5_ib_clock_info
 *      0  u32    sign             odd while the kernel writes
 *      4  4 B    resv
 *      8  u64    nsec             wall-clock time of the last update, nanoseconds
 *     16  u64    cycles           clock of the device then
 *     24  u64    frac             part of a nanosecond
 *     32  u32    mult             factor
 *     36  u32    shift            binary places of the factor
 *     40  u64    mask             bits that the clock has
 *     48  u64    overflow_period  nanoseconds after which the clock wraps
 *     56  bytes in all
 * </pre>
 */
public final class Mlx5ClockInfo {
    /** Bytes of the struct. */
    public static final int SIZE = 56;

    private static final int SIGN = 0;
    private static final int NANOSECONDS = 8;
    private static final int CYCLES = 16;
    private static final int FRACTION = 24;
    private static final int MULTIPLIER = 32;
    private static final int SHIFT = 36;
    private static final int MASK = 40;
    private static final int OVERFLOW_PERIOD = 48;

    private Mlx5ClockInfo() {}

    /** Odd while the kernel writes. */
    public static int sign(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SIGN);
    }

    /** Stores {@link #sign}. */
    public static void setSign(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SIGN, value);
    }

    /** Wall-clock time of the last update, nanoseconds. */
    public static long nanoseconds(MemorySegment segment, long at) {
        return Host.getLong(segment, at + NANOSECONDS);
    }

    /** Stores {@link #nanoseconds}. */
    public static void setNanoseconds(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + NANOSECONDS, value);
    }

    /** Clock of the device then. */
    public static long cycles(MemorySegment segment, long at) {
        return Host.getLong(segment, at + CYCLES);
    }

    /** Stores {@link #cycles}. */
    public static void setCycles(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + CYCLES, value);
    }

    /** Part of a nanosecond. */
    public static long fraction(MemorySegment segment, long at) {
        return Host.getLong(segment, at + FRACTION);
    }

    /** Stores {@link #fraction}. */
    public static void setFraction(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + FRACTION, value);
    }

    /** Factor. */
    public static int multiplier(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MULTIPLIER);
    }

    /** Stores {@link #multiplier}. */
    public static void setMultiplier(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MULTIPLIER, value);
    }

    /** Binary places of the factor. */
    public static int shift(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SHIFT);
    }

    /** Stores {@link #shift}. */
    public static void setShift(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SHIFT, value);
    }

    /** Bits that the clock has. */
    public static long mask(MemorySegment segment, long at) {
        return Host.getLong(segment, at + MASK);
    }

    /** Stores {@link #mask}. */
    public static void setMask(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + MASK, value);
    }

    /** Nanoseconds after which the clock wraps. */
    public static long overflowPeriod(MemorySegment segment, long at) {
        return Host.getLong(segment, at + OVERFLOW_PERIOD);
    }

    /** Stores {@link #overflowPeriod}. */
    public static void setOverflowPeriod(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + OVERFLOW_PERIOD, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_clock_info", SIZE)
                .u32("sign", SIGN)
                .reserved("resv", 4, 4)
                .u64("nsec", NANOSECONDS)
                .u64("cycles", CYCLES)
                .u64("frac", FRACTION)
                .u32("mult", MULTIPLIER)
                .u32("shift", SHIFT)
                .u64("mask", MASK)
                .u64("overflow_period", OVERFLOW_PERIOD);
    }
}
