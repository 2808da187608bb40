package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of the library, reached by its address. The caller vouches that it is alive, and so large. */
final class Foreign {
    private static final int LONGEST_TEXT = 256;

    private Foreign() {}

    /** {@code size} bytes at an address. */
    static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /** The pointer or number of 64 bits at an address. */
    static long longAt(long address) {
        return Host.getLong(at(address, Long.BYTES), 0);
    }

    /** The number of 32 bits at an address. */
    static int intAt(long address) {
        return Host.getInt(at(address, Integer.BYTES), 0);
    }

    /** The text in an array of characters, which ends with a zero or with the array. */
    static String text(MemorySegment array, long at, int length) {
        int end = 0;
        while (end < Math.min(length, LONGEST_TEXT) && array.get(ValueLayout.JAVA_BYTE, at + end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end];
        MemorySegment.copy(array, ValueLayout.JAVA_BYTE, at, bytes, 0, end);
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}
