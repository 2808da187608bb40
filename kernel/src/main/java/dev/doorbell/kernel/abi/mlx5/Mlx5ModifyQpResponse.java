package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of MODIFY_QP.
 *
 * <pre>
 *   struct mlx5_ib_modify_qp_resp
 *      0  u32    response_length  bytes that the kernel wrote
 *      4  u32    dctn             not used
 *      8  u32    ece_options      connection options that were taken
 *     12  4 B    reserved
 *     16  bytes in all
 * </pre>
 */
public final class Mlx5ModifyQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE_LENGTH = 0;
    private static final int DCT_NUMBER = 4;
    private static final int CONNECTION_OPTIONS = 8;

    private Mlx5ModifyQpResponse() {}

    /** Bytes that the kernel wrote. */
    public static int responseLength(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RESPONSE_LENGTH);
    }

    /** Stores {@link #responseLength}. */
    public static void setResponseLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RESPONSE_LENGTH, value);
    }

    /** Not used. */
    public static int dctNumber(MemorySegment segment, long at) {
        return Host.getInt(segment, at + DCT_NUMBER);
    }

    /** Stores {@link #dctNumber}. */
    public static void setDctNumber(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + DCT_NUMBER, value);
    }

    /** Connection options that were taken. */
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
        return Layout.of("mlx5_ib_modify_qp_resp", SIZE)
                .u32("response_length", RESPONSE_LENGTH)
                .u32("dctn", DCT_NUMBER)
                .u32("ece_options", CONNECTION_OPTIONS)
                .reserved("reserved", 12, 4);
    }
}
