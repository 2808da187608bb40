package dev.doorbell.conformance.cases;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Single values in memory, in this machine's byte order. */
final class Bytes {
    private Bytes() {}

    static byte at(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    static void set(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    static long longAt(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    static void setLong(MemorySegment memory, long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }
}
