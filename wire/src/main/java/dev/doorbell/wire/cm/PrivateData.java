package dev.doorbell.wire.cm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The area of a message that belongs to the programs. Its size is that of the message; what a program does not fill is
 * zero, and the receiver cannot tell how much was filled.
 *
 * <p>Thread rules: immutable.
 */
public final class PrivateData {
    private static final int SHOWN = 16;

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /** An area of zeros. */
    public static PrivateData zero(int capacity) {
        return new PrivateData(new byte[capacity]);
    }

    /**
     * An area that begins with these bytes.
     *
     * @throws IllegalArgumentException if there are more than fit
     */
    public static PrivateData of(byte[] data, int capacity) {
        if (data.length > capacity) {
            throw new IllegalArgumentException(data.length + " bytes of private data do not fit into " + capacity);
        }
        return new PrivateData(Arrays.copyOf(data, capacity));
    }

    /** The area that stands in memory. */
    public static PrivateData read(MemorySegment segment, long at, int capacity) {
        byte[] bytes = new byte[capacity];
        MemorySegment.copy(segment, at, MemorySegment.ofArray(bytes), 0, capacity);
        return new PrivateData(bytes);
    }

    /** Writes all of it. */
    public void write(MemorySegment segment, long at) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, at, bytes.length);
    }

    /** Bytes of the area. */
    public int capacity() {
        return bytes.length;
    }

    /** A copy of all of it. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Read-only access to all of it. */
    public MemorySegment segment() {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The bytes up to the last that is not zero, in hexadecimal; long ones are cut off. */
    @Override
    public String toString() {
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        String shown = HexFormat.of().formatHex(bytes, 0, Math.min(used, SHOWN));
        return used > SHOWN ? shown + "… (" + used + " bytes)" : shown;
    }

    /** What a one-line print appends: nothing for zeros. */
    String printed() {
        String text = toString();
        return text.isEmpty() ? "" : " data=" + text;
    }
}
