package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of QUERY_PORT.
 *
 * <pre>
 *   struct ib_uverbs_query_port_resp
 *      0  u32    port_cap_flags   capability bits of the port
 *      4  u32    max_msg_sz       bytes of the longest message
 *      8  u32    bad_pkey_cntr    packets with a wrong partition key
 *     12  u32    qkey_viol_cntr   packets with a wrong Q_Key
 *     16  u32    gid_tbl_len      slots of the GID table
 *     20  u16    pkey_tbl_len     slots of the partition key table
 *     22  u16    lid              local identifier; 0 on Ethernet
 *     24  u16    sm_lid           local identifier of the subnet manager
 *     26  u8     state            logical state, see {@code PortState}
 *     27  u8     max_mtu          code of the largest MTU
 *     28  u8     active_mtu       code of the MTU in use
 *     29  u8     lmc              low bits of the local identifier that select a path
 *     30  u8     max_vl_num       code of the virtual lanes
 *     31  u8     sm_sl            service level of the subnet manager
 *     32  u8     subnet_timeout   code of the subnet's propagation delay
 *     33  u8     init_type_reply  type of initialisation
 *     34  u8     active_width     code of the link width
 *     35  u8     active_speed     code of the link speed
 *     36  u8     phys_state       physical state, see {@code PortPhysicalState}
 *     37  u8     link_layer       see {@code LinkLayer}
 *     38  u8     flags            1: a global route is needed in every address
 *     39  u8     reserved
 *     40  bytes in all
 * </pre>
 */
public final class QueryPortResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    private static final int PORT_CAP_FLAGS = 0;
    private static final int MAX_MSG_SZ = 4;
    private static final int BAD_PKEY_CNTR = 8;
    private static final int QKEY_VIOL_CNTR = 12;
    private static final int GID_TBL_LEN = 16;
    private static final int PKEY_TBL_LEN = 20;
    private static final int LID = 22;
    private static final int SM_LID = 24;
    private static final int STATE = 26;
    private static final int MAX_MTU = 27;
    private static final int ACTIVE_MTU = 28;
    private static final int LMC = 29;
    private static final int MAX_VL_NUM = 30;
    private static final int SM_SL = 31;
    private static final int SUBNET_TIMEOUT = 32;
    private static final int INIT_TYPE_REPLY = 33;
    private static final int ACTIVE_WIDTH = 34;
    private static final int ACTIVE_SPEED = 35;
    private static final int PHYS_STATE = 36;
    private static final int LINK_LAYER = 37;
    private static final int FLAGS = 38;

    private QueryPortResponse() {}

    /** Capability bits of the port. */
    public static int portCapFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PORT_CAP_FLAGS);
    }

    /** Stores {@link #portCapFlags}. */
    public static void setPortCapFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PORT_CAP_FLAGS, value);
    }

    /** Bytes of the longest message. */
    public static long maxMsgSz(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + MAX_MSG_SZ);
    }

    /** Stores {@link #maxMsgSz}. */
    public static void setMaxMsgSz(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + MAX_MSG_SZ, (int) value);
    }

    /** Packets with a wrong partition key. */
    public static int badPkeyCntr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + BAD_PKEY_CNTR);
    }

    /** Stores {@link #badPkeyCntr}. */
    public static void setBadPkeyCntr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + BAD_PKEY_CNTR, value);
    }

    /** Packets with a wrong Q_Key. */
    public static int qkeyViolCntr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QKEY_VIOL_CNTR);
    }

    /** Stores {@link #qkeyViolCntr}. */
    public static void setQkeyViolCntr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QKEY_VIOL_CNTR, value);
    }

    /** Slots of the GID table. */
    public static int gidTblLen(MemorySegment segment, long at) {
        return Host.getInt(segment, at + GID_TBL_LEN);
    }

    /** Stores {@link #gidTblLen}. */
    public static void setGidTblLen(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + GID_TBL_LEN, value);
    }

    /** Slots of the partition key table. */
    public static int pkeyTblLen(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PKEY_TBL_LEN);
    }

    /** Stores {@link #pkeyTblLen}. */
    public static void setPkeyTblLen(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PKEY_TBL_LEN, value);
    }

    /** Local identifier; 0 on Ethernet. */
    public static int lid(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + LID);
    }

    /** Stores {@link #lid}. */
    public static void setLid(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + LID, value);
    }

    /** Local identifier of the subnet manager. */
    public static int smLid(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SM_LID);
    }

    /** Stores {@link #smLid}. */
    public static void setSmLid(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SM_LID, value);
    }

    /** Logical state, see {@code PortState}. */
    public static int state(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + STATE);
    }

    /** Stores {@link #state}. */
    public static void setState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + STATE, value);
    }

    /** Code of the largest MTU. */
    public static int maxMtu(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MAX_MTU);
    }

    /** Stores {@link #maxMtu}. */
    public static void setMaxMtu(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MAX_MTU, value);
    }

    /** Code of the MTU in use. */
    public static int activeMtu(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ACTIVE_MTU);
    }

    /** Stores {@link #activeMtu}. */
    public static void setActiveMtu(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ACTIVE_MTU, value);
    }

    /** Low bits of the local identifier that select a path. */
    public static int lmc(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + LMC);
    }

    /** Stores {@link #lmc}. */
    public static void setLmc(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + LMC, value);
    }

    /** Code of the virtual lanes. */
    public static int maxVlNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + MAX_VL_NUM);
    }

    /** Stores {@link #maxVlNum}. */
    public static void setMaxVlNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + MAX_VL_NUM, value);
    }

    /** Service level of the subnet manager. */
    public static int smSl(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SM_SL);
    }

    /** Stores {@link #smSl}. */
    public static void setSmSl(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SM_SL, value);
    }

    /** Code of the subnet's propagation delay. */
    public static int subnetTimeout(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SUBNET_TIMEOUT);
    }

    /** Stores {@link #subnetTimeout}. */
    public static void setSubnetTimeout(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SUBNET_TIMEOUT, value);
    }

    /** Type of initialisation. */
    public static int initTypeReply(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + INIT_TYPE_REPLY);
    }

    /** Stores {@link #initTypeReply}. */
    public static void setInitTypeReply(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + INIT_TYPE_REPLY, value);
    }

    /** Code of the link width. */
    public static int activeWidth(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ACTIVE_WIDTH);
    }

    /** Stores {@link #activeWidth}. */
    public static void setActiveWidth(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ACTIVE_WIDTH, value);
    }

    /** Code of the link speed. */
    public static int activeSpeed(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + ACTIVE_SPEED);
    }

    /** Stores {@link #activeSpeed}. */
    public static void setActiveSpeed(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + ACTIVE_SPEED, value);
    }

    /** Physical state, see {@code PortPhysicalState}. */
    public static int physState(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PHYS_STATE);
    }

    /** Stores {@link #physState}. */
    public static void setPhysState(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PHYS_STATE, value);
    }

    /** See {@code LinkLayer}. */
    public static int linkLayer(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + LINK_LAYER);
    }

    /** Stores {@link #linkLayer}. */
    public static void setLinkLayer(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + LINK_LAYER, value);
    }

    /** 1: a global route is needed in every address. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + FLAGS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_port_resp", SIZE)
                .u32("port_cap_flags", PORT_CAP_FLAGS)
                .u32("max_msg_sz", MAX_MSG_SZ)
                .u32("bad_pkey_cntr", BAD_PKEY_CNTR)
                .u32("qkey_viol_cntr", QKEY_VIOL_CNTR)
                .u32("gid_tbl_len", GID_TBL_LEN)
                .u16("pkey_tbl_len", PKEY_TBL_LEN)
                .u16("lid", LID)
                .u16("sm_lid", SM_LID)
                .u8("state", STATE)
                .u8("max_mtu", MAX_MTU)
                .u8("active_mtu", ACTIVE_MTU)
                .u8("lmc", LMC)
                .u8("max_vl_num", MAX_VL_NUM)
                .u8("sm_sl", SM_SL)
                .u8("subnet_timeout", SUBNET_TIMEOUT)
                .u8("init_type_reply", INIT_TYPE_REPLY)
                .u8("active_width", ACTIVE_WIDTH)
                .u8("active_speed", ACTIVE_SPEED)
                .u8("phys_state", PHYS_STATE)
                .u8("link_layer", LINK_LAYER)
                .u8("flags", FLAGS)
                .reserved("reserved", 39, 1);
    }
}
