package dev.doorbell.spec;

import java.util.EnumSet;
import java.util.Set;

/**
 * Capability bits of a device (IB_DEVICE_*).
 *
 * <p>Follows ibv_query_device(3).
 *
 * <p>Thread rules: immutable.
 */
public enum DeviceCapability {
    /** Work queues can be resized. */
    RESIZE_MAX_WR(0),
    /** Counts packets with a wrong partition key. */
    BAD_PKEY_CNTR(1),
    /** Counts packets with a wrong Q_Key. */
    BAD_QKEY_CNTR(2),
    /** Raw packet multicast. */
    RAW_MULTI(3),
    /** Automatic path migration. */
    AUTO_PATH_MIG(4),
    /** A queue pair can move to another port. */
    CHANGE_PHY_PORT(5),
    /** The port of a UD address must be that of the queue pair. */
    UD_AV_PORT_ENFORCE(6),
    /** Modify takes the state that the caller assumes. */
    CURR_QP_STATE_MOD(7),
    /** A port can be shut down. */
    SHUTDOWN_PORT(8),
    /** Raises an event when a port becomes active. */
    PORT_ACTIVE_EVENT(10),
    /** Has a system image GUID. */
    SYS_IMAGE_GUID(11),
    /** Answers receiver not ready on RC. */
    RC_RNR_NAK_GEN(12),
    /** Shared receive queues can be resized. */
    SRQ_RESIZE(13),
    /** Notifies after a number of completions. */
    N_NOTIFY_CQ(14),
    /** Memory windows of type 1. */
    MEM_WINDOW(17),
    /** Checksums on UD. */
    UD_IP_CSUM(18),
    /** Extended reliable connections. */
    XRC(20),
    /** Local invalidate, send with invalidate. */
    MEM_MGT_EXTENSIONS(21),
    /** Memory windows of type 2A. */
    MEM_WINDOW_TYPE_2A(23),
    /** Memory windows of type 2B. */
    MEM_WINDOW_TYPE_2B(24),
    /** Checksums on RC. */
    RC_IP_CSUM(25),
    /** Checksums on raw packets. */
    RAW_IP_CSUM(26),
    /** Flow steering. */
    MANAGED_FLOW_STEERING(29),
    /** Raw packets are received with their frame check sequence. */
    RAW_SCATTER_FCS(34),
    /** Writes to memory can be padded to a cache line. */
    PCI_WRITE_END_PADDING(36),
    /** FLUSH to global visibility. */
    FLUSH_GLOBAL(38),
    /** FLUSH to persistence. */
    FLUSH_PERSISTENT(39),
    /** ATOMIC WRITE. */
    ATOMIC_WRITE(40),
    /** Memory of a confidential guest goes through bounce buffers. */
    CC_DMA_BOUNCE(41);

    private final long bit;

    DeviceCapability(int number) {
        this.bit = 1L << number;
    }

    /** The flag's bit in a mask, a power of two. */
    public long bit() {
        return bit;
    }

    /** Whether the flag is in a mask. */
    public boolean isIn(long mask) {
        return (mask & bit) != 0;
    }

    /** The mask of a set of flags. */
    public static long mask(Set<DeviceCapability> flags) {
        long mask = 0;
        for (DeviceCapability flag : flags) {
            mask |= flag.bit;
        }
        return mask;
    }

    /** The flags that are in a mask; bits without a name here are left out, see {@link #unnamed}. */
    public static Set<DeviceCapability> set(long mask) {
        EnumSet<DeviceCapability> flags = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability flag : values()) {
            if (flag.isIn(mask)) {
                flags.add(flag);
            }
        }
        return flags;
    }

    /** The bits of a mask that have no name here. */
    public static long unnamed(long mask) {
        for (DeviceCapability flag : values()) {
            mask &= ~flag.bit;
        }
        return mask;
    }
}
