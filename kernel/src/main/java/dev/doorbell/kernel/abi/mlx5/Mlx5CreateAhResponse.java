package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_AH, where the kernel resolves addresses.
 *
 * <pre>
 *   struct mlx5_ib_create_ah_resp
 *      0  u32    response_length  bytes that the kernel wrote
 *      4  6 B    dmac             The six bytes of the destination MAC address
 *     10  6 B    reserved
 *     16  bytes in all
 * </pre>
 */
public final class Mlx5CreateAhResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    /** Where the six bytes of the destination MAC address lie. */
    public static final int DESTINATION_MAC = 4;

    private static final int RESPONSE_LENGTH = 0;

    private Mlx5CreateAhResponse() {}

    /** Bytes that the kernel wrote. */
    public static int responseLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RESPONSE_LENGTH);
    }

    /** Stores {@link #responseLength}. */
    public static void setResponseLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RESPONSE_LENGTH, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_ah_resp", SIZE)
                .u32("response_length", RESPONSE_LENGTH)
                .bytes("dmac", DESTINATION_MAC, 6)
                .reserved("reserved", 10, 6);
    }
}
