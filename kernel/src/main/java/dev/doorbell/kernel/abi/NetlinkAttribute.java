package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The head of an attribute in a netlink message; its value follows. Attributes begin at multiples of four bytes.
 *
 * <pre>
 *   struct nlattr
 *      0  u16    nla_len   bytes of head and value together, without padding
 *      2  u16    nla_type  which attribute; {@link NldevIds#FLAG_NESTED} says that its value holds attributes
 *      4  bytes in all
 * </pre>
 */
public final class NetlinkAttribute {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int LENGTH = 0;
    private static final int TYPE = 2;

    private NetlinkAttribute() {}

    /** Bytes of head and value together, without padding. */
    public static int length(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + LENGTH, value);
    }

    /** Which attribute, with flags. */
    public static int type(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + TYPE);
    }

    /** Stores {@link #type}. */
    public static void setType(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + TYPE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("nlattr", SIZE).u16("nla_len", LENGTH).u16("nla_type", TYPE);
    }
}
