package dev.doorbell.libibverbs;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.ExtendedDeviceAttributes;
import java.lang.foreign.MemorySegment;

/**
 * What a device says of itself, in C: {@code struct ibv_device_attr}, 232 bytes, and the larger {@code ibv_device_attr_ex}
 * that begins with it. Numbers follow each other in the order of {@link DeviceAttributes}.
 */
final class DeviceAttr {
    static final int SIZE = 232;
    static final int EXTENDED_SIZE = 400;
    static final int FW_VER = 0;
    static final int FW_VER_LENGTH = 64;
    static final int NODE_GUID = 64;
    static final int SYS_IMAGE_GUID = 72;
    static final int MAX_MR_SIZE = 80;
    static final int PAGE_SIZE_CAP = 88;
    static final int VENDOR_ID = 96;
    static final int MAX_QP = 108;
    static final int DEVICE_CAP_FLAGS = 116;
    static final int MAX_SGE = 120;
    static final int MAX_MR = 136;
    static final int MAX_QP_RD_ATOM = 144;
    static final int ATOMIC_CAP = 164;
    static final int MAX_EE = 168;
    static final int MAX_MW = 176;
    static final int MAX_MCAST_GRP = 188;
    static final int MAX_AH = 200;
    static final int MAX_SRQ = 212;
    static final int MAX_PKEYS = 224;
    static final int LOCAL_CA_ACK_DELAY = 226;
    static final int PHYS_PORT_CNT = 227;
    static final int ODP_CAPS = 240;
    static final int TIMESTAMP_MASK = 264;
    static final int CORE_CLOCK = 272;
    static final int CAP_FLAGS_EX = 280;
    static final int RSS_CAPS = 296;
    static final int MAX_WQ_TYPE_RQ = 328;
    static final int RAW_PACKET_CAPS = 344;
    static final int TM_CAPS = 348;
    static final int CQ_MOD_CAPS = 368;
    static final int MAX_DM_SIZE = 376;
    static final int XRC_ODP_CAPS = 392;

    /** What needs the library's later way of building work requests, which is not used here. */
    private static final long NOT_HERE = DeviceCapability.FLUSH_GLOBAL.bit()
            | DeviceCapability.FLUSH_PERSISTENT.bit()
            | DeviceCapability.ATOMIC_WRITE.bit();

    private DeviceAttr() {}

    static DeviceAttributes read(MemorySegment in, long moreCapabilities) {
        long capabilities = Host.getUnsignedInt(in, DEVICE_CAP_FLAGS) | moreCapabilities;
        return new DeviceAttributes(
                Foreign.text(in, FW_VER, FW_VER_LENGTH),
                new Guid(Be.getLong(in, NODE_GUID)),
                new Guid(Be.getLong(in, SYS_IMAGE_GUID)),
                Host.getLong(in, MAX_MR_SIZE),
                Host.getLong(in, PAGE_SIZE_CAP),
                number(in, VENDOR_ID, 0),
                number(in, VENDOR_ID, 1),
                number(in, VENDOR_ID, 2),
                number(in, MAX_QP, 0),
                number(in, MAX_QP, 1),
                capabilities & ~NOT_HERE,
                number(in, MAX_SGE, 0),
                number(in, MAX_SGE, 1),
                number(in, MAX_SGE, 2),
                number(in, MAX_SGE, 3),
                number(in, MAX_MR, 0),
                number(in, MAX_MR, 1),
                number(in, MAX_QP_RD_ATOM, 0),
                number(in, MAX_QP_RD_ATOM, 1),
                number(in, MAX_QP_RD_ATOM, 2),
                number(in, MAX_QP_RD_ATOM, 3),
                number(in, MAX_QP_RD_ATOM, 4),
                number(in, ATOMIC_CAP, 0),
                number(in, MAX_EE, 0),
                number(in, MAX_EE, 1),
                number(in, MAX_MW, 0),
                number(in, MAX_MW, 1),
                number(in, MAX_MW, 2),
                number(in, MAX_MCAST_GRP, 0),
                number(in, MAX_MCAST_GRP, 1),
                number(in, MAX_MCAST_GRP, 2),
                number(in, MAX_AH, 0),
                number(in, MAX_AH, 1),
                number(in, MAX_AH, 2),
                number(in, MAX_SRQ, 0),
                number(in, MAX_SRQ, 1),
                number(in, MAX_SRQ, 2),
                Host.getUnsignedShort(in, MAX_PKEYS),
                Host.getUnsignedByte(in, LOCAL_CA_ACK_DELAY),
                Host.getUnsignedByte(in, PHYS_PORT_CNT));
    }

    private static int number(MemorySegment in, int first, int index) {
        return Host.getInt(in, first + (long) index * Integer.BYTES);
    }

    static ExtendedDeviceAttributes readExtended(MemorySegment in) {
        return new ExtendedDeviceAttributes(
                read(in, Host.getLong(in, CAP_FLAGS_EX)),
                new ExtendedDeviceAttributes.OnDemandPaging(
                        Host.getLong(in, ODP_CAPS),
                        number(in, ODP_CAPS + Long.BYTES, 0),
                        number(in, ODP_CAPS + Long.BYTES, 1),
                        number(in, ODP_CAPS + Long.BYTES, 2),
                        number(in, XRC_ODP_CAPS, 0)),
                // Timestamps need the library's later way of polling, which is not used here.
                0,
                Host.getLong(in, CORE_CLOCK),
                new ExtendedDeviceAttributes.ReceiveScaling(
                        number(in, RSS_CAPS, 0), number(in, RSS_CAPS, 1), number(in, RSS_CAPS, 2)),
                number(in, MAX_WQ_TYPE_RQ, 0),
                number(in, RAW_PACKET_CAPS, 0),
                new ExtendedDeviceAttributes.TagMatching(
                        number(in, TM_CAPS, 0),
                        number(in, TM_CAPS, 1),
                        number(in, TM_CAPS, 2),
                        number(in, TM_CAPS, 3),
                        number(in, TM_CAPS, 4)),
                Host.getUnsignedShort(in, CQ_MOD_CAPS),
                Host.getUnsignedShort(in, CQ_MOD_CAPS + Short.BYTES),
                // Nor is there a way to reach memory of the device here.
                0);
    }
}
