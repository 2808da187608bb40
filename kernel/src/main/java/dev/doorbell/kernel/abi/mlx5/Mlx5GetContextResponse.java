package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of GET_CONTEXT. A kernel writes as much as it knows; the rest stays 0.
 *
 * <pre>
 *   struct mlx5_ib_alloc_ucontext_resp
 *      0  u32    qp_tab_size            most queue pairs
 *      4  u32    bf_reg_size            bytes of a BlueFlame register, both halves; 0 for none
 *      8  u32    tot_bfregs             static registers; 0 where all are dynamic
 *     12  u32    cache_line_size        bytes of a cache line
 *     16  u16    max_sq_desc_sz         most bytes of a send WQE
 *     18  u16    max_rq_desc_sz         most bytes of a receive WQE
 *     20  u32    max_send_wqebb         most 64-byte blocks of a send queue
 *     24  u32    max_recv_wr            most work requests of a receive queue
 *     28  u32    max_srq_recv_wr        most work requests of a shared receive queue
 *     32  u16    num_ports              ports
 *     34  u16    flow_action_flags      not used
 *     36  u32    comp_mask              which of the later fields are valid, 1 clock, 2 fill key, 4 connection options
 *     40  u32    response_length        bytes that the kernel wrote
 *     44  u8     cqe_version            0 or 1
 *     45  u8     cmds_supp_uhw          1 QUERY_DEVICE, 2 CREATE_AH have a driver answer
 *     46  u8     eth_min_inline         least inline mode of raw packets
 *     47  u8     clock_info_versions    bit 0: version 1 of the clock page
 *     48  u64    hca_core_clock_offset  where the clock lies in its page
 *     56  u32    log_uar_size           log2 bytes of a register page
 *     60  u32    num_uars_per_page      register pages in one page of the system
 *     64  u32    num_dyn_bfregs         registers that can be had dynamically
 *     68  u32    dump_fill_mkey         key of memory that reads as nothing
 *     72  bytes in all
 * </pre>
 */
public final class Mlx5GetContextResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 72;

    /** In {@link #validity}: {@link #clockOffset}. */
    public static final int HAS_CLOCK = 1;
    /** In {@link #validity}: {@link #fillKey}. */
    public static final int HAS_FILL_KEY = 2;
    /** In {@link #validity}: CREATE_QP takes vendor connection options. */
    public static final int HAS_ECE = 4;
    /** In {@link #answers}: QUERY_DEVICE answers driver data. */
    public static final int QUERY_DEVICE_ANSWERS = 1;
    /** In {@link #answers}: CREATE_AH answers the resolved address ({@link Mlx5CreateAhResponse}). */
    public static final int CREATE_AH_ANSWERS = 2;

    private static final int QUEUE_PAIRS = 0;
    private static final int BLUE_FLAME_SIZE = 4;
    private static final int TOTAL_REGISTERS = 8;
    private static final int CACHE_LINE = 12;
    private static final int MAX_SEND_WQE = 16;
    private static final int MAX_RECEIVE_WQE = 18;
    private static final int MAX_SEND_BLOCKS = 20;
    private static final int MAX_RECEIVE_REQUESTS = 24;
    private static final int MAX_SHARED_REQUESTS = 28;
    private static final int PORTS = 32;
    private static final int FLOW_ACTION_FLAGS = 34;
    private static final int VALIDITY = 36;
    private static final int RESPONSE_LENGTH = 40;
    private static final int CQE_VERSION = 44;
    private static final int ANSWERS = 45;
    private static final int MIN_INLINE = 46;
    private static final int CLOCK_VERSIONS = 47;
    private static final int CLOCK_OFFSET = 48;
    private static final int LOG_PAGE_SIZE = 56;
    private static final int PAGES_PER_SYSTEM_PAGE = 60;
    private static final int DYNAMIC_REGISTERS = 64;
    private static final int FILL_KEY = 68;

    private Mlx5GetContextResponse() {}

    /** Most queue pairs. */
    public static int queuePairs(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QUEUE_PAIRS);
    }

    /** Stores {@link #queuePairs}. */
    public static void setQueuePairs(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QUEUE_PAIRS, value);
    }

    /** Bytes of a BlueFlame register, both halves; 0 for none. */
    public static int blueFlameSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + BLUE_FLAME_SIZE);
    }

    /** Stores {@link #blueFlameSize}. */
    public static void setBlueFlameSize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + BLUE_FLAME_SIZE, value);
    }

    /** Static registers; 0 where all are dynamic. */
    public static int totalRegisters(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TOTAL_REGISTERS);
    }

    /** Stores {@link #totalRegisters}. */
    public static void setTotalRegisters(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TOTAL_REGISTERS, value);
    }

    /** Bytes of a cache line. */
    public static int cacheLine(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CACHE_LINE);
    }

    /** Stores {@link #cacheLine}. */
    public static void setCacheLine(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CACHE_LINE, value);
    }

    /** Most bytes of a send WQE. */
    public static int maxSendWqe(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MAX_SEND_WQE);
    }

    /** Stores {@link #maxSendWqe}. */
    public static void setMaxSendWqe(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MAX_SEND_WQE, value);
    }

    /** Most bytes of a receive WQE. */
    public static int maxReceiveWqe(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MAX_RECEIVE_WQE);
    }

    /** Stores {@link #maxReceiveWqe}. */
    public static void setMaxReceiveWqe(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MAX_RECEIVE_WQE, value);
    }

    /** Most 64-byte blocks of a send queue. */
    public static int maxSendBlocks(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SEND_BLOCKS);
    }

    /** Stores {@link #maxSendBlocks}. */
    public static void setMaxSendBlocks(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SEND_BLOCKS, value);
    }

    /** Most work requests of a receive queue. */
    public static int maxReceiveRequests(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RECEIVE_REQUESTS);
    }

    /** Stores {@link #maxReceiveRequests}. */
    public static void setMaxReceiveRequests(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RECEIVE_REQUESTS, value);
    }

    /** Most work requests of a shared receive queue. */
    public static int maxSharedRequests(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SHARED_REQUESTS);
    }

    /** Stores {@link #maxSharedRequests}. */
    public static void setMaxSharedRequests(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SHARED_REQUESTS, value);
    }

    /** Ports. */
    public static int ports(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PORTS);
    }

    /** Stores {@link #ports}. */
    public static void setPorts(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PORTS, value);
    }

    /** Not used. */
    public static int flowActionFlags(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + FLOW_ACTION_FLAGS);
    }

    /** Stores {@link #flowActionFlags}. */
    public static void setFlowActionFlags(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + FLOW_ACTION_FLAGS, value);
    }

    /** Which of the later fields are valid, 1 clock, 2 fill key, 4 connection options. */
    public static int validity(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VALIDITY);
    }

    /** Stores {@link #validity}. */
    public static void setValidity(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VALIDITY, value);
    }

    /** Bytes that the kernel wrote. */
    public static int responseLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RESPONSE_LENGTH);
    }

    /** Stores {@link #responseLength}. */
    public static void setResponseLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RESPONSE_LENGTH, value);
    }

    /** 0 or 1. */
    public static int cqeVersion(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + CQE_VERSION);
    }

    /** Stores {@link #cqeVersion}. */
    public static void setCqeVersion(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + CQE_VERSION, value);
    }

    /** 1 QUERY_DEVICE, 2 CREATE_AH have a driver answer. */
    public static int answers(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ANSWERS);
    }

    /** Stores {@link #answers}. */
    public static void setAnswers(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ANSWERS, value);
    }

    /** Least inline mode of raw packets. */
    public static int minInline(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MIN_INLINE);
    }

    /** Stores {@link #minInline}. */
    public static void setMinInline(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MIN_INLINE, value);
    }

    /** Bit 0: version 1 of the clock page. */
    public static int clockVersions(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + CLOCK_VERSIONS);
    }

    /** Stores {@link #clockVersions}. */
    public static void setClockVersions(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + CLOCK_VERSIONS, value);
    }

    /** Where the clock lies in its page. */
    public static long clockOffset(MemorySegment segment, long at) {
        return Host.getLong(segment, at + CLOCK_OFFSET);
    }

    /** Stores {@link #clockOffset}. */
    public static void setClockOffset(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + CLOCK_OFFSET, value);
    }

    /** Log2 bytes of a register page. */
    public static int logPageSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LOG_PAGE_SIZE);
    }

    /** Stores {@link #logPageSize}. */
    public static void setLogPageSize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LOG_PAGE_SIZE, value);
    }

    /** Register pages in one page of the system. */
    public static int pagesPerSystemPage(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PAGES_PER_SYSTEM_PAGE);
    }

    /** Stores {@link #pagesPerSystemPage}. */
    public static void setPagesPerSystemPage(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PAGES_PER_SYSTEM_PAGE, value);
    }

    /** Registers that can be had dynamically. */
    public static int dynamicRegisters(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DYNAMIC_REGISTERS);
    }

    /** Stores {@link #dynamicRegisters}. */
    public static void setDynamicRegisters(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DYNAMIC_REGISTERS, value);
    }

    /** Key of memory that reads as nothing. */
    public static int fillKey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FILL_KEY);
    }

    /** Stores {@link #fillKey}. */
    public static void setFillKey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FILL_KEY, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_alloc_ucontext_resp", SIZE)
                .u32("qp_tab_size", QUEUE_PAIRS)
                .u32("bf_reg_size", BLUE_FLAME_SIZE)
                .u32("tot_bfregs", TOTAL_REGISTERS)
                .u32("cache_line_size", CACHE_LINE)
                .u16("max_sq_desc_sz", MAX_SEND_WQE)
                .u16("max_rq_desc_sz", MAX_RECEIVE_WQE)
                .u32("max_send_wqebb", MAX_SEND_BLOCKS)
                .u32("max_recv_wr", MAX_RECEIVE_REQUESTS)
                .u32("max_srq_recv_wr", MAX_SHARED_REQUESTS)
                .u16("num_ports", PORTS)
                .u16("flow_action_flags", FLOW_ACTION_FLAGS)
                .u32("comp_mask", VALIDITY)
                .u32("response_length", RESPONSE_LENGTH)
                .u8("cqe_version", CQE_VERSION)
                .u8("cmds_supp_uhw", ANSWERS)
                .u8("eth_min_inline", MIN_INLINE)
                .u8("clock_info_versions", CLOCK_VERSIONS)
                .u64("hca_core_clock_offset", CLOCK_OFFSET)
                .u32("log_uar_size", LOG_PAGE_SIZE)
                .u32("num_uars_per_page", PAGES_PER_SYSTEM_PAGE)
                .u32("num_dyn_bfregs", DYNAMIC_REGISTERS)
                .u32("dump_fill_mkey", FILL_KEY);
    }
}
