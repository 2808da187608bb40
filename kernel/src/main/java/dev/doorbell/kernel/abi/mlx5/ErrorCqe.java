package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * A completion queue entry of a work request that failed. Where a {@link Cqe} has a field at the same place, its accessors serve for both.
 *
 * <pre>
 *   struct mlx5_err_cqe
 *      0  32 B   rsvd0
 *     32  be32   srqn              as in a {@link Cqe}
 *     36  18 B   rsvd1
 *     54  u8     vendor_err_synd   vendor's error number
 *     55  u8     syndrome          what failed, a number of {@link Syndrome}
 *     56  be32   s_wqe_opcode_qpn  operation of the WQE 31..24, queue pair number 23..0
 *     60  be16   wqe_counter       index of the WQE
 *     62  u8     signature         not used
 *     63  u8     op_own            as in a {@link Cqe}
 *     64  bytes in all
 * </pre>
 */
public final class ErrorCqe {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    private static final int USER_INDEX = 32;
    private static final int VENDOR_ERROR = 54;
    private static final int SYNDROME = 55;
    private static final int OPCODE_AND_QUEUE_PAIR = 56;
    private static final int WQE_COUNTER = 60;
    private static final int SIGNATURE = 62;
    private static final int OP_AND_OWNER = 63;

    private ErrorCqe() {}

    /** Vendor's error number. */
    public static int vendorError(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + VENDOR_ERROR);
    }

    /** Stores {@link #vendorError}. */
    public static void setVendorError(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + VENDOR_ERROR, value);
    }

    /** What failed, a number of {@link Syndrome}. */
    public static int syndrome(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SYNDROME);
    }

    /** Stores {@link #syndrome}. */
    public static void setSyndrome(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SYNDROME, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_err_cqe", SIZE)
                .reserved("rsvd0", 0, 32)
                .be32("srqn", USER_INDEX)
                .reserved("rsvd1", 36, 18)
                .u8("vendor_err_synd", VENDOR_ERROR)
                .u8("syndrome", SYNDROME)
                .be32("s_wqe_opcode_qpn", OPCODE_AND_QUEUE_PAIR)
                .be16("wqe_counter", WQE_COUNTER)
                .u8("signature", SIGNATURE)
                .u8("op_own", OP_AND_OWNER);
    }
}
