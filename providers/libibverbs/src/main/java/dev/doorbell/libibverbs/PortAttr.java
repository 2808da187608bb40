package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/**
 * A port in C, as the exported function has always told it.
 *
 * <pre>
 *   struct ibv_port_attr
 *      0  s32  state              34  u16  lid
 *      4  s32  max_mtu            36  u16  sm_lid
 *      8  s32  active_mtu         38  u8   lmc
 *     12  s32  gid_tbl_len        43  u8   active_width
 *     16  u32  port_cap_flags     44  u8   active_speed
 *     20  u32  max_msg_sz         45  u8   phys_state
 *     24  u32  bad_pkey_cntr      46  u8   link_layer
 *     28  u32  qkey_viol_cntr     52  bytes in all, and more in later versions
 *     32  u16  pkey_tbl_len
 * </pre>
 */
final class PortAttr {
    static final int SIZE = 52;
    static final int STATE = 0;
    static final int MAX_MTU = 4;
    static final int ACTIVE_MTU = 8;
    static final int GID_TBL_LEN = 12;
    static final int PORT_CAP_FLAGS = 16;
    static final int MAX_MSG_SZ = 20;
    static final int BAD_PKEY_CNTR = 24;
    static final int QKEY_VIOL_CNTR = 28;
    static final int PKEY_TBL_LEN = 32;
    static final int LID = 34;
    static final int SM_LID = 36;
    static final int LMC = 38;
    static final int ACTIVE_WIDTH = 43;
    static final int ACTIVE_SPEED = 44;
    static final int PHYS_STATE = 45;
    static final int LINK_LAYER = 46;

    private PortAttr() {}

    static PortAttributes read(MemorySegment in) {
        try {
            return new PortAttributes(
                    PortState.of(Host.getInt(in, STATE)),
                    Mtu.of(Host.getInt(in, MAX_MTU)),
                    Mtu.of(Host.getInt(in, ACTIVE_MTU)),
                    Host.getInt(in, GID_TBL_LEN),
                    Host.getInt(in, PORT_CAP_FLAGS),
                    Host.getUnsignedInt(in, MAX_MSG_SZ),
                    Host.getInt(in, BAD_PKEY_CNTR),
                    Host.getInt(in, QKEY_VIOL_CNTR),
                    Host.getUnsignedShort(in, PKEY_TBL_LEN),
                    Host.getUnsignedShort(in, LID),
                    Host.getUnsignedShort(in, SM_LID),
                    Host.getUnsignedByte(in, LMC),
                    Host.getUnsignedByte(in, ACTIVE_WIDTH),
                    Host.getUnsignedByte(in, ACTIVE_SPEED),
                    Host.getUnsignedByte(in, PHYS_STATE),
                    LinkLayer.of(Host.getUnsignedByte(in, LINK_LAYER)));
        } catch (IllegalArgumentException e) {
            throw new VerbsFault(Errno.EIO, "QUERY_PORT: " + e.getMessage(), e);
        }
    }
}
