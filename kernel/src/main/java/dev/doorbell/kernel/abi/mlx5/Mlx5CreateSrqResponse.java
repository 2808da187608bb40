package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_SRQ.
 *
 * <pre>
 *   struct mlx5_ib_create_srq_resp
 *      0  u32    srqn      number of the queue
 *      4  4 B    reserved
 *      8  bytes in all
 * </pre>
 */
public final class Mlx5CreateSrqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int NUMBER = 0;

    private Mlx5CreateSrqResponse() {}

    /** Number of the queue. */
    public static int number(MemorySegment segment, long at) {
        return Host.getInt(segment, at + NUMBER);
    }

    /** Stores {@link #number}. */
    public static void setNumber(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + NUMBER, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_srq_resp", SIZE).u32("srqn", NUMBER).reserved("reserved", 4, 4);
    }
}
