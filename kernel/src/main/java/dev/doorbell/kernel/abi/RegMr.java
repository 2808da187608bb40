package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of REG_MR: registers memory. Address and I/O virtual address must agree within a page.
 *
 * <pre>
 *   struct ib_uverbs_reg_mr
 *      0  u64    response      left to the carrier
 *      8  u64    start         address of the memory in this process
 *     16  u64    length        bytes
 *     24  u64    hca_va        address by which work requests name the memory
 *     32  u32    pd_handle     protection domain
 *     36  u32    access_flags  see {@code AccessFlag}
 *     40  bytes in all
 * </pre>
 */
public final class RegMr {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    private static final int RESPONSE = 0;
    private static final int START = 8;
    private static final int LENGTH = 16;
    private static final int HCA_VA = 24;
    private static final int PD_HANDLE = 32;
    private static final int ACCESS_FLAGS = 36;

    private RegMr() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Address of the memory in this process. */
    public static long start(MemorySegment segment, long at) {
        return Host.getLong(segment, at + START);
    }

    /** Stores {@link #start}. */
    public static void setStart(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + START, value);
    }

    /** Bytes. */
    public static long length(MemorySegment segment, long at) {
        return Host.getLong(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + LENGTH, value);
    }

    /** Address by which work requests name the memory. */
    public static long hcaVa(MemorySegment segment, long at) {
        return Host.getLong(segment, at + HCA_VA);
    }

    /** Stores {@link #hcaVa}. */
    public static void setHcaVa(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + HCA_VA, value);
    }

    /** Protection domain. */
    public static int pdHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PD_HANDLE);
    }

    /** Stores {@link #pdHandle}. */
    public static void setPdHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PD_HANDLE, value);
    }

    /** See {@code AccessFlag}. */
    public static int accessFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ACCESS_FLAGS);
    }

    /** Stores {@link #accessFlags}. */
    public static void setAccessFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ACCESS_FLAGS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_reg_mr", SIZE)
                .u64("response", RESPONSE)
                .u64("start", START)
                .u64("length", LENGTH)
                .u64("hca_va", HCA_VA)
                .u32("pd_handle", PD_HANDLE)
                .u32("access_flags", ACCESS_FLAGS);
    }
}
