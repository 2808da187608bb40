package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Fields in the byte order of this machine, as kernel commands and rings have them.
 *
 * <p>Stateless: every method takes a segment and a byte offset into it. Accesses need no alignment, carry no ordering
 * between threads, and are bounds-checked by the segment.
 */
public final class Host {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    private static final int LINE = 64;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Host() {}

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

    /** Stores two 32-bit values, {@code first} at {@code offset} and {@code second} behind it, with one access. */
    public static void setInts(MemorySegment segment, long offset, int first, int second) {
        long low = Integer.toUnsignedLong(LITTLE_ENDIAN ? first : second);
        long high = Integer.toUnsignedLong(LITTLE_ENDIAN ? second : first);
        segment.set(LONG, offset, high << Integer.SIZE | low);
    }

    /** The 64-bit value at {@code offset}. */
    public static long getLong(MemorySegment segment, long offset) {
        return segment.get(LONG, offset);
    }

    /** Stores a 64-bit value at {@code offset}. */
    public static void setLong(MemorySegment segment, long offset, long value) {
        segment.set(LONG, offset, value);
    }

    /** Stores two 64-bit values, at {@code offset} and behind it. */
    public static void setLongs(MemorySegment segment, long offset, long first, long second) {
        segment.set(LONG, offset, first);
        segment.set(LONG, offset + Long.BYTES, second);
    }

    /** Copies 64 bytes in eight words, in order, each with one access. */
    public static void copyLine(MemorySegment from, long fromOffset, MemorySegment to, long toOffset) {
        to.set(LONG, toOffset, from.get(LONG, fromOffset));
        to.set(LONG, toOffset + 8, from.get(LONG, fromOffset + 8));
        to.set(LONG, toOffset + 16, from.get(LONG, fromOffset + 16));
        to.set(LONG, toOffset + 24, from.get(LONG, fromOffset + 24));
        to.set(LONG, toOffset + 32, from.get(LONG, fromOffset + 32));
        to.set(LONG, toOffset + 40, from.get(LONG, fromOffset + 40));
        to.set(LONG, toOffset + 48, from.get(LONG, fromOffset + 48));
        to.set(LONG, toOffset + 56, from.get(LONG, fromOffset + 56));
    }

    /** Copies a few bytes, for which a bulk copy takes several times as long; the ranges do not overlap. */
    public static void copySmall(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, int length) {
        int done = 0;
        for (; length - done >= LINE; done += LINE) {
            copyLine(from, fromOffset + done, to, toOffset + done);
        }
        for (; length - done >= Long.BYTES; done += Long.BYTES) {
            to.set(LONG, toOffset + done, from.get(LONG, fromOffset + done));
        }
        if (done == length) {
            return;
        }
        if (length >= Long.BYTES) {
            // The last word overlaps the one before.
            int last = length - Long.BYTES;
            to.set(LONG, toOffset + last, from.get(LONG, fromOffset + last));
            return;
        }
        for (; done < length; done++) {
            to.set(ValueLayout.JAVA_BYTE, toOffset + done, from.get(ValueLayout.JAVA_BYTE, fromOffset + done));
        }
    }
}
