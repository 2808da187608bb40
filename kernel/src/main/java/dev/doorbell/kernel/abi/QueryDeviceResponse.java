package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY_DEVICE: the limits of a device. Fields that concern what no device has any more can be
 * printed, but have no accessors.
 *
 * <pre>
 *   struct ib_uverbs_query_device_resp
 *      0  u64    fw_ver                     firmware version
 *      8  be64   node_guid                  GUID of the node
 *     16  be64   sys_image_guid             GUID of the system image
 *     24  u64    max_mr_size                bytes of the largest memory region
 *     32  u64    page_size_cap              one bit for each page size
 *     40  u32    vendor_id                  vendor (IEEE OUI)
 *     44  u32    vendor_part_id             vendor's part number
 *     48  u32    hw_ver                     hardware version
 *     52  u32    max_qp                     queue pairs
 *     56  u32    max_qp_wr                  work requests in one queue
 *     60  u32    device_cap_flags           low half of the capability bits
 *     64  u32    max_sge                    scatter/gather elements of a work request
 *     68  u32    max_sge_rd                 scatter/gather elements of an RDMA READ
 *     72  u32    max_cq                     completion queues
 *     76  u32    max_cqe                    entries of a completion queue
 *     80  u32    max_mr                     memory regions
 *     84  u32    max_pd                     protection domains
 *     88  u32    max_qp_rd_atom             READs and atomics that a queue pair serves at a time
 *     92  u32    max_ee_rd_atom             the same for an EE context
 *     96  u32    max_res_rd_atom            READs and atomics that the device serves at a time
 *    100  u32    max_qp_init_rd_atom        READs and atomics that a queue pair has outstanding
 *    104  u32    max_ee_init_rd_atom        the same for an EE context
 *    108  u32    atomic_cap                 reach of atomic operations
 *    112  u32    max_ee                     EE contexts
 *    116  u32    max_rdd                    reliable datagram domains
 *    120  u32    max_mw                     memory windows
 *    124  u32    max_raw_ipv6_qp            raw IPv6 queue pairs
 *    128  u32    max_raw_ethy_qp            raw Ethertype queue pairs
 *    132  u32    max_mcast_grp              multicast groups
 *    136  u32    max_mcast_qp_attach        queue pairs in one multicast group
 *    140  u32    max_total_mcast_qp_attach  queue pairs in all multicast groups
 *    144  u32    max_ah                     address handles
 *    148  u32    max_fmr                    fast memory regions (historic)
 *    152  u32    max_map_per_fmr            mappings of one (historic)
 *    156  u32    max_srq                    shared receive queues
 *    160  u32    max_srq_wr                 work requests in one
 *    164  u32    max_srq_sge                scatter/gather elements of its work requests
 *    168  u16    max_pkeys                  partition keys
 *    170  u8     local_ca_ack_delay         delay of an acknowledgement, code as for the ACK timeout
 *    171  u8     phys_port_cnt              ports
 *    172  u32    reserved
 *    176  bytes in all
 * </pre>
 */
public final class QueryDeviceResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 176;

    private static final int FW_VER = 0;
    private static final int NODE_GUID = 8;
    private static final int SYS_IMAGE_GUID = 16;
    private static final int MAX_MR_SIZE = 24;
    private static final int PAGE_SIZE_CAP = 32;
    private static final int VENDOR_ID = 40;
    private static final int VENDOR_PART_ID = 44;
    private static final int HW_VER = 48;
    private static final int MAX_QP = 52;
    private static final int MAX_QP_WR = 56;
    private static final int DEVICE_CAP_FLAGS = 60;
    private static final int MAX_SGE = 64;
    private static final int MAX_SGE_RD = 68;
    private static final int MAX_CQ = 72;
    private static final int MAX_CQE = 76;
    private static final int MAX_MR = 80;
    private static final int MAX_PD = 84;
    private static final int MAX_QP_RD_ATOM = 88;
    private static final int MAX_EE_RD_ATOM = 92;
    private static final int MAX_RES_RD_ATOM = 96;
    private static final int MAX_QP_INIT_RD_ATOM = 100;
    private static final int MAX_EE_INIT_RD_ATOM = 104;
    private static final int ATOMIC_CAP = 108;
    private static final int MAX_EE = 112;
    private static final int MAX_RDD = 116;
    private static final int MAX_MW = 120;
    private static final int MAX_RAW_IPV6_QP = 124;
    private static final int MAX_RAW_ETHY_QP = 128;
    private static final int MAX_MCAST_GRP = 132;
    private static final int MAX_MCAST_QP_ATTACH = 136;
    private static final int MAX_TOTAL_MCAST_QP_ATTACH = 140;
    private static final int MAX_AH = 144;
    private static final int MAX_FMR = 148;
    private static final int MAX_MAP_PER_FMR = 152;
    private static final int MAX_SRQ = 156;
    private static final int MAX_SRQ_WR = 160;
    private static final int MAX_SRQ_SGE = 164;
    private static final int MAX_PKEYS = 168;
    private static final int LOCAL_CA_ACK_DELAY = 170;
    private static final int PHYS_PORT_CNT = 171;

    private QueryDeviceResponse() {}

    /** Firmware version. */
    public static long fwVer(MemorySegment segment, long at) {
        return Host.getLong(segment, at + FW_VER);
    }

    /** Stores {@link #fwVer}. */
    public static void setFwVer(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + FW_VER, value);
    }

    /** GUID of the node. */
    public static Guid nodeGuid(MemorySegment segment, long at) {
        return new Guid(Be.getLong(segment, at + NODE_GUID));
    }

    /** Stores {@link #nodeGuid}. */
    public static void setNodeGuid(MemorySegment segment, long at, Guid value) {
        Be.setLong(segment, at + NODE_GUID, value.value());
    }

    /** GUID of the system image. */
    public static Guid sysImageGuid(MemorySegment segment, long at) {
        return new Guid(Be.getLong(segment, at + SYS_IMAGE_GUID));
    }

    /** Stores {@link #sysImageGuid}. */
    public static void setSysImageGuid(MemorySegment segment, long at, Guid value) {
        Be.setLong(segment, at + SYS_IMAGE_GUID, value.value());
    }

    /** Bytes of the largest memory region. */
    public static long maxMrSize(MemorySegment segment, long at) {
        return Host.getLong(segment, at + MAX_MR_SIZE);
    }

    /** Stores {@link #maxMrSize}. */
    public static void setMaxMrSize(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + MAX_MR_SIZE, value);
    }

    /** One bit for each page size. */
    public static long pageSizeCap(MemorySegment segment, long at) {
        return Host.getLong(segment, at + PAGE_SIZE_CAP);
    }

    /** Stores {@link #pageSizeCap}. */
    public static void setPageSizeCap(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + PAGE_SIZE_CAP, value);
    }

    /** Vendor (IEEE OUI). */
    public static int vendorId(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VENDOR_ID);
    }

    /** Stores {@link #vendorId}. */
    public static void setVendorId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VENDOR_ID, value);
    }

    /** Vendor's part number. */
    public static int vendorPartId(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VENDOR_PART_ID);
    }

    /** Stores {@link #vendorPartId}. */
    public static void setVendorPartId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VENDOR_PART_ID, value);
    }

    /** Hardware version. */
    public static int hwVer(MemorySegment segment, long at) {
        return Host.getInt(segment, at + HW_VER);
    }

    /** Stores {@link #hwVer}. */
    public static void setHwVer(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + HW_VER, value);
    }

    /** Queue pairs. */
    public static int maxQp(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_QP);
    }

    /** Stores {@link #maxQp}. */
    public static void setMaxQp(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_QP, value);
    }

    /** Work requests in one queue. */
    public static int maxQpWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_QP_WR);
    }

    /** Stores {@link #maxQpWr}. */
    public static void setMaxQpWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_QP_WR, value);
    }

    /** Low half of the capability bits. */
    public static int deviceCapFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DEVICE_CAP_FLAGS);
    }

    /** Stores {@link #deviceCapFlags}. */
    public static void setDeviceCapFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DEVICE_CAP_FLAGS, value);
    }

    /** Scatter/gather elements of a work request. */
    public static int maxSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SGE);
    }

    /** Stores {@link #maxSge}. */
    public static void setMaxSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SGE, value);
    }

    /** Scatter/gather elements of an RDMA READ. */
    public static int maxSgeRd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SGE_RD);
    }

    /** Stores {@link #maxSgeRd}. */
    public static void setMaxSgeRd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SGE_RD, value);
    }

    /** Completion queues. */
    public static int maxCq(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_CQ);
    }

    /** Stores {@link #maxCq}. */
    public static void setMaxCq(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_CQ, value);
    }

    /** Entries of a completion queue. */
    public static int maxCqe(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_CQE);
    }

    /** Stores {@link #maxCqe}. */
    public static void setMaxCqe(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_CQE, value);
    }

    /** Memory regions. */
    public static int maxMr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_MR);
    }

    /** Stores {@link #maxMr}. */
    public static void setMaxMr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_MR, value);
    }

    /** Protection domains. */
    public static int maxPd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_PD);
    }

    /** Stores {@link #maxPd}. */
    public static void setMaxPd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_PD, value);
    }

    /** READs and atomics that a queue pair serves at a time. */
    public static int maxQpRdAtom(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_QP_RD_ATOM);
    }

    /** Stores {@link #maxQpRdAtom}. */
    public static void setMaxQpRdAtom(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_QP_RD_ATOM, value);
    }

    /** READs and atomics that the device serves at a time. */
    public static int maxResRdAtom(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_RES_RD_ATOM);
    }

    /** Stores {@link #maxResRdAtom}. */
    public static void setMaxResRdAtom(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_RES_RD_ATOM, value);
    }

    /** READs and atomics that a queue pair has outstanding. */
    public static int maxQpInitRdAtom(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_QP_INIT_RD_ATOM);
    }

    /** Stores {@link #maxQpInitRdAtom}. */
    public static void setMaxQpInitRdAtom(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_QP_INIT_RD_ATOM, value);
    }

    /** Reach of atomic operations. */
    public static int atomicCap(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ATOMIC_CAP);
    }

    /** Stores {@link #atomicCap}. */
    public static void setAtomicCap(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ATOMIC_CAP, value);
    }

    /** Memory windows. */
    public static int maxMw(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_MW);
    }

    /** Stores {@link #maxMw}. */
    public static void setMaxMw(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_MW, value);
    }

    /** Multicast groups. */
    public static int maxMcastGrp(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_MCAST_GRP);
    }

    /** Stores {@link #maxMcastGrp}. */
    public static void setMaxMcastGrp(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_MCAST_GRP, value);
    }

    /** Queue pairs in one multicast group. */
    public static int maxMcastQpAttach(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_MCAST_QP_ATTACH);
    }

    /** Stores {@link #maxMcastQpAttach}. */
    public static void setMaxMcastQpAttach(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_MCAST_QP_ATTACH, value);
    }

    /** Queue pairs in all multicast groups. */
    public static int maxTotalMcastQpAttach(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_TOTAL_MCAST_QP_ATTACH);
    }

    /** Stores {@link #maxTotalMcastQpAttach}. */
    public static void setMaxTotalMcastQpAttach(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_TOTAL_MCAST_QP_ATTACH, value);
    }

    /** Address handles. */
    public static int maxAh(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_AH);
    }

    /** Stores {@link #maxAh}. */
    public static void setMaxAh(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_AH, value);
    }

    /** Shared receive queues. */
    public static int maxSrq(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SRQ);
    }

    /** Stores {@link #maxSrq}. */
    public static void setMaxSrq(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SRQ, value);
    }

    /** Work requests in one. */
    public static int maxSrqWr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SRQ_WR);
    }

    /** Stores {@link #maxSrqWr}. */
    public static void setMaxSrqWr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SRQ_WR, value);
    }

    /** Scatter/gather elements of its work requests. */
    public static int maxSrqSge(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_SRQ_SGE);
    }

    /** Stores {@link #maxSrqSge}. */
    public static void setMaxSrqSge(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_SRQ_SGE, value);
    }

    /** Partition keys. */
    public static int maxPkeys(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + MAX_PKEYS);
    }

    /** Stores {@link #maxPkeys}. */
    public static void setMaxPkeys(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + MAX_PKEYS, value);
    }

    /** Delay of an acknowledgement, code as for the ACK timeout. */
    public static int localCaAckDelay(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + LOCAL_CA_ACK_DELAY);
    }

    /** Stores {@link #localCaAckDelay}. */
    public static void setLocalCaAckDelay(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + LOCAL_CA_ACK_DELAY, value);
    }

    /** Ports. */
    public static int physPortCnt(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PHYS_PORT_CNT);
    }

    /** Stores {@link #physPortCnt}. */
    public static void setPhysPortCnt(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PHYS_PORT_CNT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_device_resp", SIZE)
                .u64("fw_ver", FW_VER)
                .be64("node_guid", NODE_GUID)
                .be64("sys_image_guid", SYS_IMAGE_GUID)
                .u64("max_mr_size", MAX_MR_SIZE)
                .u64("page_size_cap", PAGE_SIZE_CAP)
                .u32("vendor_id", VENDOR_ID)
                .u32("vendor_part_id", VENDOR_PART_ID)
                .u32("hw_ver", HW_VER)
                .u32("max_qp", MAX_QP)
                .u32("max_qp_wr", MAX_QP_WR)
                .u32("device_cap_flags", DEVICE_CAP_FLAGS)
                .u32("max_sge", MAX_SGE)
                .u32("max_sge_rd", MAX_SGE_RD)
                .u32("max_cq", MAX_CQ)
                .u32("max_cqe", MAX_CQE)
                .u32("max_mr", MAX_MR)
                .u32("max_pd", MAX_PD)
                .u32("max_qp_rd_atom", MAX_QP_RD_ATOM)
                .u32("max_ee_rd_atom", MAX_EE_RD_ATOM)
                .u32("max_res_rd_atom", MAX_RES_RD_ATOM)
                .u32("max_qp_init_rd_atom", MAX_QP_INIT_RD_ATOM)
                .u32("max_ee_init_rd_atom", MAX_EE_INIT_RD_ATOM)
                .u32("atomic_cap", ATOMIC_CAP)
                .u32("max_ee", MAX_EE)
                .u32("max_rdd", MAX_RDD)
                .u32("max_mw", MAX_MW)
                .u32("max_raw_ipv6_qp", MAX_RAW_IPV6_QP)
                .u32("max_raw_ethy_qp", MAX_RAW_ETHY_QP)
                .u32("max_mcast_grp", MAX_MCAST_GRP)
                .u32("max_mcast_qp_attach", MAX_MCAST_QP_ATTACH)
                .u32("max_total_mcast_qp_attach", MAX_TOTAL_MCAST_QP_ATTACH)
                .u32("max_ah", MAX_AH)
                .u32("max_fmr", MAX_FMR)
                .u32("max_map_per_fmr", MAX_MAP_PER_FMR)
                .u32("max_srq", MAX_SRQ)
                .u32("max_srq_wr", MAX_SRQ_WR)
                .u32("max_srq_sge", MAX_SRQ_SGE)
                .u16("max_pkeys", MAX_PKEYS)
                .u8("local_ca_ack_delay", LOCAL_CA_ACK_DELAY)
                .u8("phys_port_cnt", PHYS_PORT_CNT)
                .reserved("reserved", 172, 4);
    }
}
