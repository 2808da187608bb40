package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * One attribute of an ioctl command. Input of up to 8 bytes lies in {@code data} itself, anything else is reached
 * through an address in {@code data}. Handles and descriptors of new objects come back in {@code data}.
 *
 * <pre>
 *   struct ib_uverbs_attr
 *      0  u16    attr_id                       attribute of the method
 *      2  u16    len                           bytes of the data; 0 for handles and descriptors
 *      4  u16    flags                         {@link IoctlIds#FLAG_MANDATORY}, {@link IoctlIds#FLAG_VALID_OUTPUT}
 *      6  u8     attr_data.enum_data.elem_id   variant of an enum attribute, otherwise 0
 *      7  u8     attr_data.enum_data.reserved  0
 *      8  u64    data                          address, inline value, handle or descriptor
 *     16  bytes in all
 * </pre>
 */
public final class IoctlAttribute {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int ATTR_ID = 0;
    private static final int LEN = 2;
    private static final int FLAGS = 4;
    private static final int ELEM_ID = 6;
    private static final int DATA = 8;

    private IoctlAttribute() {}

    /** Attribute of the method. */
    public static int attrId(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + ATTR_ID);
    }

    /** Stores {@link #attrId}. */
    public static void setAttrId(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + ATTR_ID, value);
    }

    /** Bytes of the data; 0 for handles and descriptors. */
    public static int len(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + LEN);
    }

    /** Stores {@link #len}. */
    public static void setLen(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + LEN, value);
    }

    /** {@link IoctlIds#FLAG_MANDATORY}, {@link IoctlIds#FLAG_VALID_OUTPUT}. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + FLAGS, value);
    }

    /** Variant of an enum attribute, otherwise 0. */
    public static int elemId(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ELEM_ID);
    }

    /** Stores {@link #elemId}. */
    public static void setElemId(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ELEM_ID, value);
    }

    /** Address, inline value, handle or descriptor. */
    public static long data(MemorySegment segment, long at) {
        return Host.getLong(segment, at + DATA);
    }

    /** Stores {@link #data}. */
    public static void setData(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + DATA, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_attr", SIZE)
                .u16("attr_id", ATTR_ID)
                .u16("len", LEN)
                .u16("flags", FLAGS)
                .u8("attr_data.enum_data.elem_id", ELEM_ID)
                .reserved("attr_data.enum_data.reserved", 7, 1)
                .u64("data", DATA);
    }
}
