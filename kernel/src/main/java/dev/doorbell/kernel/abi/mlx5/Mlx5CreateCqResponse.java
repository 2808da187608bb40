package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_CQ.
 *
 * <pre>
 *   struct mlx5_ib_create_cq_resp
 *      0  u32    cqn       number of the queue
 *      4  4 B    reserved
 *      8  bytes in all
 * </pre>
 */
public final class Mlx5CreateCqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int NUMBER = 0;

    private Mlx5CreateCqResponse() {}

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
        return Layout.of("mlx5_ib_create_cq_resp", SIZE).u32("cqn", NUMBER).reserved("reserved", 4, 4);
    }
}
