package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/** Fields that several messages have. */
final class Bits {
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

    static String id(int value) {
        return "0x%08x".formatted(value);
    }
}
