package dev.doorbell.linux.syscall;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The structs {@code mmsghdr}, {@code iovec} and {@code cmsghdr} of 64-bit systems.
 *
 * <pre>
 *   mmsghdr   0 name * │ 8 name length 4 │ 16 vector * │ 24 vectors 8 │ 32 control * │ 40 control length 8 │ 48 flags 4
 *             56 bytes received 4
 *   iovec     0 base * │ 8 length 8
 *   cmsghdr   0 length 8 │ 8 level 4 │ 12 type 4 │ 16 data
 * </pre>
 */
final class MessageHeader {
    static final int SIZE = 64;
    static final int VECTOR_SIZE = 16;
    static final int CONTROL_HEADER = 16;

    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int VECTOR = 16;
    private static final int VECTORS = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;
    private static final int RECEIVED = 56;
    private static final int LENGTH = 8;
    private static final int LEVEL = 8;
    private static final int TYPE = 12;

    private MessageHeader() {}

    static void setName(MemorySegment segment, long at, long address, int length) {
        Host.setLong(segment, at + NAME, address);
        Host.setInt(segment, at + NAME_LENGTH, length);
    }

    /** Where the length of the name lies in the struct at {@code at}. */
    static long nameLength(long at) {
        return at + NAME_LENGTH;
    }

    static void setVector(MemorySegment segment, long at, long address) {
        Host.setLong(segment, at + VECTOR, address);
        Host.setLong(segment, at + VECTORS, 1);
    }

    static void setControl(MemorySegment segment, long at, long address, long length) {
        Host.setLong(segment, at + CONTROL, address);
        Host.setLong(segment, at + CONTROL_LENGTH, length);
    }

    static long controlLength(MemorySegment segment, long at) {
        return Host.getLong(segment, at + CONTROL_LENGTH);
    }

    static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    static void clearFlags(MemorySegment segment, long at) {
        Host.setInt(segment, at + FLAGS, 0);
    }

    static int received(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECEIVED);
    }

    static void setReceived(MemorySegment segment, long at, int bytes) {
        Host.setInt(segment, at + RECEIVED, bytes);
    }

    static void setBuffer(MemorySegment segment, long at, long base, long length) {
        Host.setLong(segment, at, base);
        Host.setLong(segment, at + LENGTH, length);
    }

    static void setControlHeader(MemorySegment segment, long at, long length, int level, int type) {
        Host.setLong(segment, at, length);
        Host.setInt(segment, at + LEVEL, level);
        Host.setInt(segment, at + TYPE, type);
    }

    static long controlHeaderLength(MemorySegment segment, long at) {
        return Host.getLong(segment, at);
    }

    static boolean isControl(MemorySegment segment, long at, int level, int type) {
        return Host.getInt(segment, at + LEVEL) == level && Host.getInt(segment, at + TYPE) == type;
    }
}
