package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * Enhanced connection establishment: options of a vendor; 0 for none.
 *
 * <pre>
 *   struct rdma_ucm_ece
 *      0  u32  vendor_id  vendor
 *      4  u32  attr_mod   options
 *      8  bytes in all
 * </pre>
 */
public final class CmEce {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int VENDOR_ID = 0;
    private static final int ATTR_MOD = 4;

    private CmEce() {}

    /** Vendor. */
    public static int vendorId(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VENDOR_ID);
    }

    /** Stores {@link #vendorId}. */
    public static void setVendorId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VENDOR_ID, value);
    }

    /** Options. */
    public static int attrMod(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATTR_MOD);
    }

    /** Stores {@link #attrMod}. */
    public static void setAttrMod(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATTR_MOD, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_ece", SIZE).u32("vendor_id", VENDOR_ID).u32("attr_mod", ATTR_MOD);
    }
}
