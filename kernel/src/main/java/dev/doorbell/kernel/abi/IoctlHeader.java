package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The header of an ioctl command; {@link IoctlAttribute}s follow.
 *
 * <pre>
 *   struct ib_uverbs_ioctl_hdr
 *      0  u16    length     bytes of header and attributes together
 *      2  u16    object_id  object, see {@link IoctlIds}
 *      4  u16    method_id  method of that object
 *      6  u16    num_attrs  attributes that follow
 *      8  u64    reserved1  0
 *     16  u32    driver_id  the kernel driver's number, see {@link DriverId}
 *     20  u32    reserved2  0
 *     24  bytes in all
 * </pre>
 */
public final class IoctlHeader {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    private static final int LENGTH = 0;
    private static final int OBJECT_ID = 2;
    private static final int METHOD_ID = 4;
    private static final int NUM_ATTRS = 6;
    private static final int DRIVER_ID = 16;

    private IoctlHeader() {}

    /** Bytes of header and attributes together. */
    public static int length(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + LENGTH, value);
    }

    /** Object, see {@link IoctlIds}. */
    public static int objectId(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + OBJECT_ID);
    }

    /** Stores {@link #objectId}. */
    public static void setObjectId(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + OBJECT_ID, value);
    }

    /** Method of that object. */
    public static int methodId(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + METHOD_ID);
    }

    /** Stores {@link #methodId}. */
    public static void setMethodId(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + METHOD_ID, value);
    }

    /** Attributes that follow. */
    public static int numAttrs(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + NUM_ATTRS);
    }

    /** Stores {@link #numAttrs}. */
    public static void setNumAttrs(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + NUM_ATTRS, value);
    }

    /** The kernel driver's number, see {@link DriverId}. */
    public static int driverId(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DRIVER_ID);
    }

    /** Stores {@link #driverId}. */
    public static void setDriverId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DRIVER_ID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ioctl_hdr", SIZE)
                .u16("length", LENGTH)
                .u16("object_id", OBJECT_ID)
                .u16("method_id", METHOD_ID)
                .u16("num_attrs", NUM_ATTRS)
                .reserved("reserved1", 8, 8)
                .u32("driver_id", DRIVER_ID)
                .reserved("reserved2", 20, 4);
    }
}
