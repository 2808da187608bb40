package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/** Fields that several messages have: addresses, and 24-bit numbers that share a word with a byte. */
final class Bits {
    private static final int BYTE = 8;
    private static final int BYTE_MASK = 0xff;

    private Bits() {}

    static Gid gid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at), Be.getLong(segment, at + Long.BYTES));
    }

    static void setGid(MemorySegment segment, long at, Gid value) {
        Be.setLong(segment, at, value.high());
        Be.setLong(segment, at + Long.BYTES, value.low());
    }

    static Guid guid(MemorySegment segment, long at) {
        return new Guid(Be.getLong(segment, at));
    }

    /** Writes a 24-bit number and the byte behind it. */
    static void setWord(MemorySegment segment, long at, int number, int last) {
        Be.setInt(segment, at, number << BYTE | last & BYTE_MASK);
    }

    static String id(int value) {
        return "0x%08x".formatted(value);
    }
}
