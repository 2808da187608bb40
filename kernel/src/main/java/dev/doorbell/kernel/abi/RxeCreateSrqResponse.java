package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_SRQ.
 *
 * <pre>
 *   struct rxe_create_srq_resp
 *      0  16 B   mi        {@link RxeMmapInfo}, of the queue
 *     16  u32    srq_num   number of the queue
 *     20  u32    reserved
 *     24  bytes in all
 * </pre>
 */
public final class RxeCreateSrqResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    /** Where the {@link RxeMmapInfo} of the queue lies in this struct. */
    public static final int QUEUE = 0;

    private static final int SRQ_NUM = 16;

    private RxeCreateSrqResponse() {}

    /** Number of the queue. */
    public static int srqNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRQ_NUM);
    }

    /** Stores {@link #srqNum}. */
    public static void setSrqNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRQ_NUM, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_create_srq_resp", SIZE)
                .struct("mi", QUEUE, RxeMmapInfo.layout())
                .u32("srq_num", SRQ_NUM)
                .reserved("reserved", 20, 4);
    }
}
