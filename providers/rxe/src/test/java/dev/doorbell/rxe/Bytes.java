package dev.doorbell.rxe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * Bytes that a test expects or answers, written by offset: the offsets come from the kernel's headers and stand in the
 * tests as numbers, so that a mistake in the layouts' accessors does not hide itself.
 */
final class Bytes {
    private final ByteBuffer buffer;

    private Bytes(int size) {
        buffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }

    static Bytes of(int size) {
        return new Bytes(size);
    }

    static Bytes copy(MemorySegment segment, long at, int size) {
        Bytes bytes = of(size);
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes.buffer.array(), 0, size);
        return bytes;
    }

    Bytes u8(int at, int value) {
        buffer.put(at, (byte) value);
        return this;
    }

    Bytes u16(int at, int value) {
        buffer.putShort(at, (short) value);
        return this;
    }

    Bytes u32(int at, int value) {
        buffer.putInt(at, value);
        return this;
    }

    Bytes u64(int at, long value) {
        buffer.putLong(at, value);
        return this;
    }

    Bytes be32(int at, int value) {
        buffer.order(ByteOrder.BIG_ENDIAN).putInt(at, value).order(ByteOrder.nativeOrder());
        return this;
    }

    Bytes be64(int at, long value) {
        buffer.order(ByteOrder.BIG_ENDIAN).putLong(at, value).order(ByteOrder.nativeOrder());
        return this;
    }

    Bytes bytes(int at, byte... values) {
        buffer.put(at, values);
        return this;
    }

    void copyTo(MemorySegment segment, long at) {
        MemorySegment.copy(buffer.array(), 0, segment, ValueLayout.JAVA_BYTE, at, buffer.capacity());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && buffer.equals(that.buffer);
    }

    @Override
    public int hashCode() {
        return buffer.hashCode();
    }

    /** Sixteen bytes a line, each with its offset, so that a difference can be read. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        byte[] array = buffer.array();
        for (int at = 0; at < array.length; at += 16) {
            text.append("%n%3d  ".formatted(at))
                    .append(HexFormat.ofDelimiter(" ").formatHex(array, at, Math.min(at + 16, array.length)));
        }
        return text.toString();
    }
}
