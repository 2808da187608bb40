package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of GET_CONTEXT. Kernels take shorter forms: a driver that is refused with EINVAL asks again with less.
 *
 * <pre>
 *   struct mlx5_ib_alloc_ucontext_req_v2
 *      0  u32    total_num_bfregs        static registers wanted
 *      4  u32    num_low_latency_bfregs  of those for one queue pair each
 *      8  u32    flags                   1 DEVX
 *     12  u32    comp_mask               0
 *     16  u8     max_cqe_version         1: completions carry the user index
 *     17  u8     reserved0
 *     18  u16    reserved1
 *     20  u32    reserved2
 *     24  u64    lib_caps                1 registers in 4 KiB pages, 2 dynamic register pages
 *     32  bytes in all
 * </pre>
 */
public final class Mlx5GetContext {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    /** Bytes of the older form that ends before {@link #capabilities}. */
    public static final int SIZE_WITHOUT_CAPABILITIES = 24;
    /** Bytes of the older form that ends before {@link #maxCqeVersion}. */
    public static final int SIZE_WITHOUT_CQE_VERSION = 16;
    /** Bytes of the oldest form. */
    public static final int SIZE_OLDEST = 8;

    /** In {@link #flags}: general commands to the device. */
    public static final int DEVX = 1;
    /** In {@link #capabilities}: several 4 KiB register pages may lie in one page of the system. */
    public static final long SMALL_PAGES = 1;
    /** In {@link #capabilities}: register pages are allocated as they are needed. */
    public static final long DYNAMIC_PAGES = 2;

    private static final int TOTAL_REGISTERS = 0;
    private static final int LOW_LATENCY_REGISTERS = 4;
    private static final int FLAGS = 8;
    private static final int COMP_MASK = 12;
    private static final int MAX_CQE_VERSION = 16;
    private static final int CAPABILITIES = 24;

    private Mlx5GetContext() {}

    /** Static registers wanted. */
    public static int totalRegisters(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TOTAL_REGISTERS);
    }

    /** Stores {@link #totalRegisters}. */
    public static void setTotalRegisters(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TOTAL_REGISTERS, value);
    }

    /** Of those for one queue pair each. */
    public static int lowLatencyRegisters(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LOW_LATENCY_REGISTERS);
    }

    /** Stores {@link #lowLatencyRegisters}. */
    public static void setLowLatencyRegisters(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LOW_LATENCY_REGISTERS, value);
    }

    /** 1 DEVX. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
    }

    /** 0. */
    public static int compMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_MASK);
    }

    /** Stores {@link #compMask}. */
    public static void setCompMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_MASK, value);
    }

    /** 1: completions carry the user index. */
    public static int maxCqeVersion(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MAX_CQE_VERSION);
    }

    /** Stores {@link #maxCqeVersion}. */
    public static void setMaxCqeVersion(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MAX_CQE_VERSION, value);
    }

    /** 1 registers in 4 KiB pages, 2 dynamic register pages. */
    public static long capabilities(MemorySegment segment, long at) {
        return Host.getLong(segment, at + CAPABILITIES);
    }

    /** Stores {@link #capabilities}. */
    public static void setCapabilities(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + CAPABILITIES, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_alloc_ucontext_req_v2", SIZE)
                .u32("total_num_bfregs", TOTAL_REGISTERS)
                .u32("num_low_latency_bfregs", LOW_LATENCY_REGISTERS)
                .u32("flags", FLAGS)
                .u32("comp_mask", COMP_MASK)
                .u8("max_cqe_version", MAX_CQE_VERSION)
                .reserved("reserved0", 17, 1)
                .reserved("reserved1", 18, 2)
                .reserved("reserved2", 20, 4)
                .u64("lib_caps", CAPABILITIES);
    }
}
