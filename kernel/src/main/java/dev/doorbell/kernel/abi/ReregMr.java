package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of REREG_MR: changes a memory region.
 *
 * <pre>
 *   struct ib_uverbs_rereg_mr
 *      0  u64    response      left to the carrier
 *      8  u32    mr_handle     the memory region
 *     12  u32    flags         what changes: 1 translation, 2 protection domain, 4 access
 *     16  u64    start         address of the memory in this process
 *     24  u64    length        bytes
 *     32  u64    hca_va        address by which work requests name the memory
 *     40  u32    pd_handle     protection domain
 *     44  u32    access_flags  see {@code AccessFlag}
 *     48  bytes in all
 * </pre>
 */
public final class ReregMr {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    /** In {@link #flags}: the memory changes. */
    public static final int TRANSLATION = 1;
    /** In {@link #flags}: the protection domain changes. */
    public static final int PROTECTION_DOMAIN = 2;
    /** In {@link #flags}: what it grants changes. */
    public static final int ACCESS = 4;

    private static final int RESPONSE = 0;
    private static final int MR_HANDLE = 8;
    private static final int FLAGS = 12;
    private static final int START = 16;
    private static final int LENGTH = 24;
    private static final int HCA_VA = 32;
    private static final int PD_HANDLE = 40;
    private static final int ACCESS_FLAGS = 44;

    private ReregMr() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** The memory region. */
    public static int mrHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MR_HANDLE);
    }

    /** Stores {@link #mrHandle}. */
    public static void setMrHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MR_HANDLE, value);
    }

    /** What changes: 1 translation, 2 protection domain, 4 access. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
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
        return Layout.of("ib_uverbs_rereg_mr", SIZE)
                .u64("response", RESPONSE)
                .u32("mr_handle", MR_HANDLE)
                .u32("flags", FLAGS)
                .u64("start", START)
                .u64("length", LENGTH)
                .u64("hca_va", HCA_VA)
                .u32("pd_handle", PD_HANDLE)
                .u32("access_flags", ACCESS_FLAGS);
    }
}
