package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of EX_QUERY_DEVICE. A kernel may fill less than all of it and says how much.
 *
 * <pre>
 *   struct ib_uverbs_ex_query_device_resp
 *      0  176 B  base                                         {@link QueryDeviceResponse}
 *    176  u32    comp_mask                                    0
 *    180  u32    response_length                              bytes that the kernel filled
 *    184  u64    odp_caps.general_caps                        on-demand paging: 1 supported, 2 implicit
 *    192  u32    odp_caps.per_transport_caps.rc_odp_caps      on-demand paging on RC, one bit for each operation
 *    196  u32    odp_caps.per_transport_caps.uc_odp_caps      on-demand paging on UC
 *    200  u32    odp_caps.per_transport_caps.ud_odp_caps      on-demand paging on UD
 *    204  u32    odp_caps.reserved
 *    208  u64    timestamp_mask                               valid bits of a completion's timestamp
 *    216  u64    hca_core_clock                               clock of timestamps in kHz
 *    224  u64    device_cap_flags_ex                          all 64 capability bits
 *    232  u32    rss_caps.supported_qpts                      receive-side scaling: queue pair types
 *    236  u32    rss_caps.max_rwq_indirection_tables          indirection tables
 *    240  u32    rss_caps.max_rwq_indirection_table_size      entries of an indirection table
 *    244  u32    rss_caps.reserved
 *    248  u32    max_wq_type_rq                               receive work queues
 *    252  u32    raw_packet_caps                              capabilities of raw packet queue pairs
 *    256  u32    tm_caps.max_rndv_hdr_size                    tag matching: bytes of a rendezvous header
 *    260  u32    tm_caps.max_num_tags                         tag matching: entries
 *    264  u32    tm_caps.flags                                tag matching: capability bits
 *    268  u32    tm_caps.max_ops                              tag matching: outstanding list operations
 *    272  u32    tm_caps.max_sge                              tag matching: scatter/gather elements of an entry
 *    276  u32    tm_caps.reserved
 *    280  u16    cq_moderation_caps.max_cq_moderation_count   most completions that moderation gathers
 *    282  u16    cq_moderation_caps.max_cq_moderation_period  longest moderation in microseconds
 *    284  u32    cq_moderation_caps.reserved
 *    288  u64    max_dm_size                                  bytes of device memory
 *    296  u32    xrc_odp_caps                                 on-demand paging on XRC
 *    300  u32    reserved
 *    304  bytes in all
 * </pre>
 */
public final class ExQueryDeviceResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 304;

    /** Where the {@link QueryDeviceResponse} lies in this struct. */
    public static final int BASE = 0;

    private static final int COMP_MASK = 176;
    private static final int RESPONSE_LENGTH = 180;
    private static final int ODP_GENERAL_CAPS = 184;
    private static final int RC_ODP_CAPS = 192;
    private static final int UC_ODP_CAPS = 196;
    private static final int UD_ODP_CAPS = 200;
    private static final int TIMESTAMP_MASK = 208;
    private static final int HCA_CORE_CLOCK = 216;
    private static final int DEVICE_CAP_FLAGS_EX = 224;
    private static final int RSS_SUPPORTED_QPTS = 232;
    private static final int MAX_RWQ_INDIRECTION_TABLES = 236;
    private static final int MAX_RWQ_INDIRECTION_TABLE_SIZE = 240;
    private static final int MAX_WQ_TYPE_RQ = 248;
    private static final int RAW_PACKET_CAPS = 252;
    private static final int TM_MAX_RNDV_HDR_SIZE = 256;
    private static final int TM_MAX_NUM_TAGS = 260;
    private static final int TM_FLAGS = 264;
    private static final int TM_MAX_OPS = 268;
    private static final int TM_MAX_SGE = 272;
    private static final int MAX_CQ_MODERATION_COUNT = 280;
    private static final int MAX_CQ_MODERATION_PERIOD = 282;
    private static final int MAX_DM_SIZE = 288;
    private static final int XRC_ODP_CAPS = 296;

    private ExQueryDeviceResponse() {}

    /** 0. */
    public static int compMask(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMP_MASK);
    }

    /** Stores {@link #compMask}. */
    public static void setCompMask(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMP_MASK, value);
    }

    /** Bytes that the kernel filled. */
    public static int responseLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RESPONSE_LENGTH);
    }

    /** Stores {@link #responseLength}. */
    public static void setResponseLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RESPONSE_LENGTH, value);
    }

    /** On-demand paging: 1 supported, 2 implicit. */
    public static long odpGeneralCaps(MemorySegment segment, long at) {
        return Host.getLong(segment, at + ODP_GENERAL_CAPS);
    }

    /** Stores {@link #odpGeneralCaps}. */
    public static void setOdpGeneralCaps(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + ODP_GENERAL_CAPS, value);
    }

    /** On-demand paging on RC, one bit for each operation. */
    public static int rcOdpCaps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RC_ODP_CAPS);
    }

    /** Stores {@link #rcOdpCaps}. */
    public static void setRcOdpCaps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RC_ODP_CAPS, value);
    }

    /** On-demand paging on UC. */
    public static int ucOdpCaps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + UC_ODP_CAPS);
    }

    /** Stores {@link #ucOdpCaps}. */
    public static void setUcOdpCaps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + UC_ODP_CAPS, value);
    }

    /** On-demand paging on UD. */
    public static int udOdpCaps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + UD_ODP_CAPS);
    }

    /** Stores {@link #udOdpCaps}. */
    public static void setUdOdpCaps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + UD_ODP_CAPS, value);
    }

    /** Valid bits of a completion's timestamp. */
    public static long timestampMask(MemorySegment segment, long at) {
        return Host.getLong(segment, at + TIMESTAMP_MASK);
    }

    /** Stores {@link #timestampMask}. */
    public static void setTimestampMask(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + TIMESTAMP_MASK, value);
    }

    /** Clock of timestamps in kHz. */
    public static long hcaCoreClock(MemorySegment segment, long at) {
        return Host.getLong(segment, at + HCA_CORE_CLOCK);
    }

    /** Stores {@link #hcaCoreClock}. */
    public static void setHcaCoreClock(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + HCA_CORE_CLOCK, value);
    }

    /** All 64 capability bits. */
    public static long deviceCapFlagsEx(MemorySegment segment, long at) {
        return Host.getLong(segment, at + DEVICE_CAP_FLAGS_EX);
    }

    /** Stores {@link #deviceCapFlagsEx}. */
    public static void setDeviceCapFlagsEx(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + DEVICE_CAP_FLAGS_EX, value);
    }

    /** Receive-side scaling: queue pair types. */
    public static int rssSupportedQpts(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RSS_SUPPORTED_QPTS);
    }

    /** Stores {@link #rssSupportedQpts}. */
    public static void setRssSupportedQpts(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RSS_SUPPORTED_QPTS, value);
    }

    /** Indirection tables. */
    public static int maxRwqIndirectionTables(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RWQ_INDIRECTION_TABLES);
    }

    /** Stores {@link #maxRwqIndirectionTables}. */
    public static void setMaxRwqIndirectionTables(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RWQ_INDIRECTION_TABLES, value);
    }

    /** Entries of an indirection table. */
    public static int maxRwqIndirectionTableSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RWQ_INDIRECTION_TABLE_SIZE);
    }

    /** Stores {@link #maxRwqIndirectionTableSize}. */
    public static void setMaxRwqIndirectionTableSize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RWQ_INDIRECTION_TABLE_SIZE, value);
    }

    /** Receive work queues. */
    public static int maxWqTypeRq(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_WQ_TYPE_RQ);
    }

    /** Stores {@link #maxWqTypeRq}. */
    public static void setMaxWqTypeRq(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_WQ_TYPE_RQ, value);
    }

    /** Capabilities of raw packet queue pairs. */
    public static int rawPacketCaps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RAW_PACKET_CAPS);
    }

    /** Stores {@link #rawPacketCaps}. */
    public static void setRawPacketCaps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RAW_PACKET_CAPS, value);
    }

    /** Tag matching: bytes of a rendezvous header. */
    public static int tmMaxRndvHdrSize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TM_MAX_RNDV_HDR_SIZE);
    }

    /** Stores {@link #tmMaxRndvHdrSize}. */
    public static void setTmMaxRndvHdrSize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TM_MAX_RNDV_HDR_SIZE, value);
    }

    /** Tag matching: entries. */
    public static int tmMaxNumTags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TM_MAX_NUM_TAGS);
    }

    /** Stores {@link #tmMaxNumTags}. */
    public static void setTmMaxNumTags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TM_MAX_NUM_TAGS, value);
    }

    /** Tag matching: capability bits. */
    public static int tmFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TM_FLAGS);
    }

    /** Stores {@link #tmFlags}. */
    public static void setTmFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TM_FLAGS, value);
    }

    /** Tag matching: outstanding list operations. */
    public static int tmMaxOps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TM_MAX_OPS);
    }

    /** Stores {@link #tmMaxOps}. */
    public static void setTmMaxOps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TM_MAX_OPS, value);
    }

    /** Tag matching: scatter/gather elements of an entry. */
    public static int tmMaxSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + TM_MAX_SGE);
    }

    /** Stores {@link #tmMaxSge}. */
    public static void setTmMaxSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + TM_MAX_SGE, value);
    }

    /** Most completions that moderation gathers. */
    public static int maxCqModerationCount(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MAX_CQ_MODERATION_COUNT);
    }

    /** Stores {@link #maxCqModerationCount}. */
    public static void setMaxCqModerationCount(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MAX_CQ_MODERATION_COUNT, value);
    }

    /** Longest moderation in microseconds. */
    public static int maxCqModerationPeriod(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MAX_CQ_MODERATION_PERIOD);
    }

    /** Stores {@link #maxCqModerationPeriod}. */
    public static void setMaxCqModerationPeriod(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MAX_CQ_MODERATION_PERIOD, value);
    }

    /** Bytes of device memory. */
    public static long maxDmSize(MemorySegment segment, long at) {
        return Host.getLong(segment, at + MAX_DM_SIZE);
    }

    /** Stores {@link #maxDmSize}. */
    public static void setMaxDmSize(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + MAX_DM_SIZE, value);
    }

    /** On-demand paging on XRC. */
    public static int xrcOdpCaps(MemorySegment segment, long at) {
        return Host.getInt(segment, at + XRC_ODP_CAPS);
    }

    /** Stores {@link #xrcOdpCaps}. */
    public static void setXrcOdpCaps(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + XRC_ODP_CAPS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_query_device_resp", SIZE)
                .struct("base", BASE, QueryDeviceResponse.layout())
                .u32("comp_mask", COMP_MASK)
                .u32("response_length", RESPONSE_LENGTH)
                .u64("odp_caps.general_caps", ODP_GENERAL_CAPS)
                .u32("odp_caps.per_transport_caps.rc_odp_caps", RC_ODP_CAPS)
                .u32("odp_caps.per_transport_caps.uc_odp_caps", UC_ODP_CAPS)
                .u32("odp_caps.per_transport_caps.ud_odp_caps", UD_ODP_CAPS)
                .reserved("odp_caps.reserved", 204, 4)
                .u64("timestamp_mask", TIMESTAMP_MASK)
                .u64("hca_core_clock", HCA_CORE_CLOCK)
                .u64("device_cap_flags_ex", DEVICE_CAP_FLAGS_EX)
                .u32("rss_caps.supported_qpts", RSS_SUPPORTED_QPTS)
                .u32("rss_caps.max_rwq_indirection_tables", MAX_RWQ_INDIRECTION_TABLES)
                .u32("rss_caps.max_rwq_indirection_table_size", MAX_RWQ_INDIRECTION_TABLE_SIZE)
                .reserved("rss_caps.reserved", 244, 4)
                .u32("max_wq_type_rq", MAX_WQ_TYPE_RQ)
                .u32("raw_packet_caps", RAW_PACKET_CAPS)
                .u32("tm_caps.max_rndv_hdr_size", TM_MAX_RNDV_HDR_SIZE)
                .u32("tm_caps.max_num_tags", TM_MAX_NUM_TAGS)
                .u32("tm_caps.flags", TM_FLAGS)
                .u32("tm_caps.max_ops", TM_MAX_OPS)
                .u32("tm_caps.max_sge", TM_MAX_SGE)
                .reserved("tm_caps.reserved", 276, 4)
                .u16("cq_moderation_caps.max_cq_moderation_count", MAX_CQ_MODERATION_COUNT)
                .u16("cq_moderation_caps.max_cq_moderation_period", MAX_CQ_MODERATION_PERIOD)
                .reserved("cq_moderation_caps.reserved", 284, 4)
                .u64("max_dm_size", MAX_DM_SIZE)
                .u32("xrc_odp_caps", XRC_ODP_CAPS)
                .reserved("reserved", 300, 4);
    }
}
