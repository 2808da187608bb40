package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of MODIFY_QP.
 *
 * <pre>
 *   struct mlx5_ib_modify_qp
 *      0  u32    comp_mask                  1: the burst fields are valid
 *      4  u32    burst_info.max_burst_sz    largest burst, bytes
 *      8  u16    burst_info.typical_pkt_sz  usual packet, bytes
 *     10  2 B    burst_info.reserved
 *     12  u32    ece_options                vendor connection options
 *     16  bytes in all
 * </pre>
 */
public final class Mlx5ModifyQp {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int VALIDITY = 0;
    private static final int MAX_BURST = 4;
    private static final int TYPICAL_PACKET = 8;
    private static final int CONNECTION_OPTIONS = 12;

    private Mlx5ModifyQp() {}

    /** 1: the burst fields are valid. */
    public static int validity(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VALIDITY);
    }

    /** Stores {@link #validity}. */
    public static void setValidity(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VALIDITY, value);
    }

    /** Largest burst, bytes. */
    public static int maxBurst(MemorySegment segment, long at) {
        return Host.getInt(segment, at + MAX_BURST);
    }

    /** Stores {@link #maxBurst}. */
    public static void setMaxBurst(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + MAX_BURST, value);
    }

    /** Usual packet, bytes. */
    public static int typicalPacket(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + TYPICAL_PACKET);
    }

    /** Stores {@link #typicalPacket}. */
    public static void setTypicalPacket(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + TYPICAL_PACKET, value);
    }

    /** Vendor connection options. */
    public static int connectionOptions(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CONNECTION_OPTIONS);
    }

    /** Stores {@link #connectionOptions}. */
    public static void setConnectionOptions(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CONNECTION_OPTIONS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_modify_qp", SIZE)
                .u32("comp_mask", VALIDITY)
                .u32("burst_info.max_burst_sz", MAX_BURST)
                .u16("burst_info.typical_pkt_sz", TYPICAL_PACKET)
                .reserved("burst_info.reserved", 10, 2)
                .u32("ece_options", CONNECTION_OPTIONS);
    }
}
