package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of ALLOC_PD.
 *
 * <pre>
 *   struct mlx5_ib_alloc_pd_resp
 *      0  u32    pdn  number of the protection domain
 *      4  bytes in all
 * </pre>
 */
public final class Mlx5AllocPdResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int NUMBER = 0;

    private Mlx5AllocPdResponse() {}

    /** Number of the protection domain. */
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
        return Layout.of("mlx5_ib_alloc_pd_resp", SIZE).u32("pdn", NUMBER);
    }
}
