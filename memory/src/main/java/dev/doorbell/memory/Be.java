package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Big-endian (network order) fields in memory.
 *
 * <p>Stateless: every method takes a segment and a byte offset into it. Accesses need no alignment, carry no ordering
 * between threads, and are bounds-checked by the segment.
 */
public final class Be {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Be() {}

    /** The unsigned 8-bit value at {@code offset}. */
    public static int getUnsignedByte(MemorySegment segment, long offset) {
        return Byte.toUnsignedInt(segment.get(ValueLayout.JAVA_BYTE, offset));
    }

    /** Stores the low 8 bits of {@code value} at {@code offset}. */
    public static void setByte(MemorySegment segment, long offset, int value) {
        segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    /** The unsigned 16-bit value at {@code offset}. */
    public static int getUnsignedShort(MemorySegment segment, long offset) {
        return Short.toUnsignedInt(segment.get(SHORT, offset));
    }

    /** Stores the low 16 bits of {@code value} at {@code offset}. */
    public static void setShort(MemorySegment segment, long offset, int value) {
        segment.set(SHORT, offset, (short) value);
    }

    /** The 32-bit value at {@code offset}. */
    public static int getInt(MemorySegment segment, long offset) {
        return segment.get(INT, offset);
    }

    /** The unsigned 32-bit value at {@code offset}. */
    public static long getUnsignedInt(MemorySegment segment, long offset) {
        return Integer.toUnsignedLong(segment.get(INT, offset));
    }

    /** Stores a 32-bit value at {@code offset}. */
    public static void setInt(MemorySegment segment, long offset, int value) {
        segment.set(INT, offset, value);
    }

    /** The 64-bit value at {@code offset}. */
    public static long getLong(MemorySegment segment, long offset) {
        return segment.get(LONG, offset);
    }

    /** Stores a 64-bit value at {@code offset}. */
    public static void setLong(MemorySegment segment, long offset, long value) {
        segment.set(LONG, offset, value);
    }

    /** The unsigned 24-bit value at {@code offset}: queue pair and packet sequence numbers. */
    public static int getUnsigned24(MemorySegment segment, long offset) {
        return getUnsignedByte(segment, offset) << 16 | getUnsignedShort(segment, offset + 1);
    }

    /** Stores the low 24 bits of {@code value} at {@code offset}. */
    public static void set24(MemorySegment segment, long offset, int value) {
        setByte(segment, offset, value >>> 16);
        setShort(segment, offset + 1, value);
    }
}
