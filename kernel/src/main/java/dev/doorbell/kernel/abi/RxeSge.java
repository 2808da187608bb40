package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * One scatter/gather element of a work request.
 *
 * <pre>
 *   struct rxe_sge
 *      0  u64    addr    address
 *      8  u32    length  bytes
 *     12  u32    lkey    key of the memory region
 *     16  bytes in all
 * </pre>
 */
public final class RxeSge {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int ADDR = 0;
    private static final int LENGTH = 8;
    private static final int LKEY = 12;

    private RxeSge() {}

    /** Address. */
    public static long addr(MemorySegment segment, long at) {
        return Host.getLong(segment, at + ADDR);
    }

    /** Stores {@link #addr}. */
    public static void setAddr(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + ADDR, value);
    }

    /** Bytes. */
    public static long length(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + LENGTH, (int) value);
    }

    /** Key of the memory region. */
    public static int lkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LKEY);
    }

    /** Stores {@link #lkey}. */
    public static void setLkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LKEY, value);
    }

    /** Stores all of it, with as few accesses as possible. */
    public static void set(MemorySegment segment, long at, long address, int length, int key) {
        Host.setLong(segment, at + ADDR, address);
        Host.setInts(segment, at + LENGTH, length, key);
    }

    static String printList(MemorySegment segment, long at, int count) {
        long fitting = Math.min(Integer.toUnsignedLong(count), (segment.byteSize() - at) / SIZE);
        StringBuilder text = new StringBuilder();
        for (long i = 0; i < fitting; i++) {
            text.append(' ').append(print(segment, at + i * SIZE));
        }
        return text.toString();
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_sge", SIZE)
                .u64("addr", ADDR)
                .u32("length", LENGTH)
                .u32("lkey", LKEY);
    }
}
