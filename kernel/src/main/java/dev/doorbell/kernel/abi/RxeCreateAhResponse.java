package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_AH.
 *
 * <pre>
 *   struct rxe_create_ah_resp
 *      0  u32    ah_num    number for work requests; 0 from kernels before 5.17, whose work requests carry the address itself
 *      4  u32    reserved
 *      8  bytes in all
 * </pre>
 */
public final class RxeCreateAhResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int AH_NUM = 0;

    private RxeCreateAhResponse() {}

    /** Number for work requests; 0 from kernels before 5.17, whose work requests carry the address itself. */
    public static int ahNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + AH_NUM);
    }

    /** Stores {@link #ahNum}. */
    public static void setAhNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + AH_NUM, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_create_ah_resp", SIZE).u32("ah_num", AH_NUM).reserved("reserved", 4, 4);
    }
}
